import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// Bodies that come so fast that they are waited for in larger pieces (design, the hot path).
@Suite(.timeLimit(.minutes(5)))
struct FastBodyTests {
  private let length = 64 << 20
  private let authority = Result { try TemporaryAuthority() }

  @Test(arguments: [false, true])
  func `what a fast server has sent arrives although it falls silent`(isSecure: Bool) async throws {
    let sent = (8 << 20) + 1_000
    let server = try await serve([sent - 1_000, 1_000], isSecure: isSecure)
    let transport = try transport()
    var received = 0
    for try await chunk in try await transport.send(request(to: server, .stream)).body {
      received += chunk.readableBytes
      if received == sent { break }
    }
    #expect(received == sent)
    transport.shutDown()
    await server.stop()
  }

  #if os(Linux)
  @Test func `the system reports a fast body in larger pieces`() async throws {
    // No body is fast while the machine has no time for it.
    let marks = try await unlessLate(by: .milliseconds(5)) {
      let marks = try await marksOfOneBody()
      guard marks.isSuperset(of: [1, 256 << 10]) else { throw MissingMarks(found: marks) }
      return marks
    }
    #expect(marks.isSubset(of: [1, 256 << 10, 1 << 20]))
  }

  private struct MissingMarks: Error {
    let found: Set<Int>
  }

  private func marksOfOneBody() async throws -> Set<Int> {
    let server = try await serve([length], isSecure: false)
    let transport = try transport()
    let response = try await transport.send(request(to: server, .stream))
    let channel = try await transport.onlyChannel(to: server.url())
    let option = try #require(ReceiveLowWaterMark.option)
    var marks: Set<Int> = []
    for try await _ in response.body {
      marks.insert(Int(try await channel.getOption(option).get()))
    }
    #expect(try await channel.getOption(option).get() == 1)
    transport.shutDown()
    await server.stop()
    return marks
  }
  #endif

  @Test func `while a file is written more buffers are read into, and no more after that`()
    async throws
  {
    let server = try await serve([length], isSecure: false)
    let transport = try transport()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var request = request(to: server, .file(at: file))
    let call = Call()
    let progress = AwaitableValue<Int64>(0)
    call.observe { [weak call] event in
      guard case .bodyReceived(let bytes, _) = event.kind else { return }
      // Held in the middle, so that there is time to look.
      let received = progress.update {
        $0 += Int64(bytes)
        return $0
      }
      if received == Int64(bytes) { call?.suspend() }
    }
    request.call = call
    let task = Task { [request] in try await transport.send(request) }
    try await progress.wait { $0 > 0 }
    let channel = try await transport.onlyChannel(to: server.url())
    #expect(try await channel.getOption(.maxMessagesPerRead).get() == 16)
    call.resume()
    _ = try await task.value
    #expect(try await channel.getOption(.maxMessagesPerRead).get() == 4)
    try FileManager.default.removeItem(at: file)
    transport.shutDown()
    await server.stop()
  }

  private func serve(_ parts: [Int], isSecure: Bool) async throws -> ScriptedServer {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"
    let bodies = parts.map { Script.Step.sendBytes(ByteBuffer(repeating: 1, count: $0)) }
    return try await ScriptedServer.start(
      Script([.readRequest, .send(head)] + bodies + [.stall]),
      tls: isSecure ? ServerTLS(try authority.get().leaf()) : nil)
  }

  private func transport() throws -> HTTPTransport {
    var configuration = HTTPTransportConfiguration.oneLoop
    configuration.tls.roots = .certificates([try authority.get().root])
    return HTTPTransport(configuration)
  }

  private func request(to server: ScriptedServer, _ delivery: Delivery) -> Request {
    var request = Request(url: server.url())
    request.delivery = delivery
    request.options.timeouts = Timeouts(connect: nil, idle: .seconds(60))
    return request
  }
}
