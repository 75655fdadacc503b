import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// Bodies that are written to files.
@Suite(.timeLimit(.minutes(5)))
struct FileDestinationTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)
  private var file: URL { folder.appendingPathComponent("body") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test(arguments: ["Content-Length: 3\r\nConnection: close", "Connection: close"])
  func `a server that closes right after the body does not cost the file`(fields: String)
    async throws
  {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nabc"), repeatsLast: true)
    for _ in 0..<20 {
      let response = try await send(to: server.url())
      #expect(response.body.file == file)
      #expect(try Data(contentsOf: file) == Data("abc".utf8))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["body"])
    await server.stop()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `when the error is thrown, nothing is left behind`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), repeatsLast: true)
    for _ in 0..<20 {
      let start = ContinuousClock.now
      await #expect {
        try await send(to: server.url())
      } throws: { ($0 as? MartletError)?.code == .bodyTruncated }
      try await expectEmpty(since: start)
    }
    await server.stop()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `a cancelled download leaves nothing behind`() async throws {
    let server = try await LoopbackServer.start()
    let url = server.url("/drip?numbytes=6000&duration=60")
    let call = Call()
    let task = Task { try await send(to: url, call) }
    try await eventually { call.downloadTransfer.completed > 0 }
    let start = ContinuousClock.now
    task.cancel()
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.code == .cancelled }
    try await expectEmpty(since: start)
    try await server.waitForOpenConnections(0)
    await server.stop()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `a large body arrives whole`() async throws {
    let server = try await LoopbackServer.start()
    _ = try await send(to: server.url("/bytes/30000000?seed=1"))
    #expect(try Data(contentsOf: file).count == 30_000_000)
    await server.stop()
    try FileManager.default.removeItem(at: folder)
  }

  /// Expects no file, for which an error waits, unless the threads that close files were busy for the second that it waits at most.
  private func expectEmpty(since start: ContinuousClock.Instant) async throws {
    if try !isEmpty { #expect(start.duration(to: .now) >= .seconds(1)) }
    try await eventually { try isEmpty }
  }

  private var isEmpty: Bool {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) == [] }
  }

  @discardableResult
  private func send(to url: URL, _ call: Call = Call()) async throws -> Response {
    var request = Request(url: url)
    request.delivery = .file(at: file)
    request.call = call
    return try await HTTPTransport().send(request)
  }
}
