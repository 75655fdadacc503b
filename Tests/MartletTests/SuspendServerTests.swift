import Foundation
import Martlet
import NIOCore
import TestTiming
import Testing

private let environment = ProcessInfo.processInfo.environment

/// A large download that is held in the middle, from a server that Martlet shares no code with.
///
/// `scripts/interop-suspend` starts it, says where it is, and compares what came.
@Suite(.enabled(if: environment["SUSPEND_URL"] != nil), .timeLimit(.minutes(5)))
struct SuspendServerTests {
  /// By how much memory may grow, whatever the protocol and the size.
  private static let slack = Int64(48 << 20)
  /// What may come after the word to hold: with HTTP/1.1 what the event loop is just reading, with HTTP/2 the
  /// largest window of a stream.
  private var ahead: Int64 { isHTTP2 ? 16 << 20 : 4 << 20 }

  private let base: URL
  private let isHTTP2 = environment["SUSPEND_VERSION"] == "http2"
  private let hold = Duration.seconds(environment["SUSPEND_SECONDS"].flatMap { Int($0) } ?? 10)
  private let target: URL
  private let session: URLSessionManager
  private let server: ServerSocket

  init() throws {
    base = try #require(environment["SUSPEND_URL"].flatMap { URL(string: $0) })
    target = URL(fileURLWithPath: try #require(environment["SUSPEND_TARGET"]))
    server = ServerSocket(port: try #require(base.port))
    var configuration = SessionConfiguration()
    configuration.versions = isHTTP2 ? .http2 : .http1
    // The other requests use the same connection of HTTP/2, even if its loop is busy with the download.
    configuration.eventLoopCount = 1
    session = URLSessionManager(configuration: configuration)
    session.completionQueue = .global()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a download that is held stops its server, holds up no other request, and ends whole`()
    async throws
  {
    let memory = try Memory()
    let task = session.downloadTask(
      with: Request(url: base.appending(path: "big")), destination: { [target] _, _ in target }
    ) { _, _, _ in }
    task.resume()
    try await eventually { task.downloadTransfer.fractionCompleted > 0.5 }
    task.suspend()
    let received = task.countOfBytesReceived
    try await Task.sleep(for: .seconds(1))

    let (settled, sent) = (task.countOfBytesReceived, try server.bytesSent)
    #expect(settled - received <= ahead)
    try await Task.sleep(for: hold - .seconds(1))
    #expect(task.countOfBytesReceived == settled)
    #expect(try server.bytesSent == sent)
    let others = isHTTP2 ? try await fetchOthers() : []
    #expect(task.countOfBytesReceived == settled)
    #expect(try server.bytesSent - sent <= others.count * 110_000)

    let before = try memory.peak
    task.resume()
    let response = try await task.value
    #expect(task.countOfBytesReceived == response.head.contentLength)
    #expect(others.allSatisfy { $0 == response.metrics.connection?.localAddress })
    #expect(before - memory.start <= Self.slack)
    #expect(try memory.peak - memory.start <= Self.slack)
    print(
      """
      held at \(settled) bytes, \(settled - received) of them after the word; \(others.count) others meanwhile; \
      memory grew by \(try (memory.peak - memory.start) >> 20) MiB
      """)
  }

  /// Where the connections began that carried a hundred files of 100 000 bytes.
  private func fetchOthers() async throws -> [String?] {
    let request = Request(url: base.appending(path: "small"))
    var others: [String?] = []
    for await outcome in session.send((0..<100).map { _ in request }, maximumConcurrent: 10) {
      let response = try outcome.response
      #expect(response.body.bytes?.readableBytes == 100_000)
      others.append(response.metrics.connection?.localAddress)
    }
    return others
  }
}

/// What the kernel says about a server's end of the connections to it.
private struct ServerSocket {
  let port: Int

  /// How many bytes it has sent over those that stand.
  var bytesSent: Int {
    get throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/ss")
      process.arguments = ["-HOtin", "state", "established", "sport", "=", ":\(port)"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      let counts = text.matches(of: /bytes_sent:(\d+)/).compactMap { Int($0.1) }
      try #require(!counts.isEmpty, "ss knows of no connection: \(text)")
      return counts.reduce(0, +)
    }
  }
}

/// How much memory this process has.
private struct Memory {
  /// At the beginning, in bytes.
  let start: Int64

  /// Forgets the highest mark so far.
  init() throws {
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    start = try Self.value("VmRSS")
  }

  /// The most since the beginning, in bytes.
  var peak: Int64 {
    get throws { try Self.value("VmHWM") }
  }

  private static func value(_ name: String) throws -> Int64 {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
    let kilobytes = try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first)
    return try #require(Int64(kilobytes)) << 10
  }
}
