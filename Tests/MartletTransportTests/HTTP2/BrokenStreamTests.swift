import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// A response that breaks the rules ends only its own stream (RFC 9113 §5.4.2, §8.1.1).
@Suite(.timeLimit(.minutes(5)))
struct BrokenStreamTests {
  /// What a server does wrong on stream 1.
  struct Fault: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: String
    var frames: [RawFrame]

    init(_ name: String, code: String = "PROTOCOL_ERROR", _ frames: [RawFrame]) {
      testDescription = name
      self.code = code
      self.frames = frames
    }
  }

  private static let faults = [
    Fault("no :status (§8.3.2)", [.headers(1, ["a": "b"], end: true)]),
    Fault("two of :status (§8.3)", [.headers(1, [":status": "200", ":status": "200"])]),
    Fault("an unknown pseudo-header (§8.3)", [.headers(1, [":status": "200", ":b": "c"])]),
    Fault("a pseudo-header last (§8.3)", [.headers(1, ["a": "b", ":status": "200"])]),
    Fault("an upper-case name (§8.2.1)", [.headers(1, [":status": "200", "X-A": "b"])]),
    Fault("Connection (§8.2.2)", [.headers(1, [":status": "200", "connection": "close"])]),
    Fault(
      "Transfer-Encoding (§8.2.2)",
      [.headers(1, [":status": "200", "transfer-encoding": "chunked"])]),
    Fault("DATA before HEADERS (§8.1)", [.data(1, "x")]),
    Fault("HEADERS after DATA, but no end (§8.1)", [.headers(1), .headers(1, ["a": "b"])]),
    Fault(
      ":status in trailers (§8.1)",
      [.headers(1), .headers(1, [":status": "200"], end: true)]),
    Fault("an end after 103 (§8.1)", [.headers(1, [":status": "103"], end: true)]),
    Fault("101 (§8.6)", [.headers(1, [":status": "101"])]),
    Fault(
      "less than Content-Length (§8.1.1)",
      [.headers(1, [":status": "200", "content-length": "5"]), .data(1, "four", end: true)]),
    Fault(
      "more than Content-Length (§8.1.1)",
      [.headers(1, [":status": "200", "content-length": "3"]), .data(1, "four")]),
    Fault(
      "two lengths (§8.1.1)",
      [.headers(1, [":status": "200", "content-length": "3", "content-length": "4"])]),
  ]

  @Test(arguments: faults)
  func `a stream with a fault fails alone, with the code`(_ fault: Fault) async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let broken = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    let whole = engine.begin(peer.get())
    #expect(try await connection.request().stream == 3)

    for frame in fault.frames { connection.send(frame) }
    let error = await #expect(throws: MartletError.self) { try await broken.value }
    #expect(
      error?.message
        == "The response of \(try peer.get().origin) breaks the rules of HTTP/2 (\(fault.code)): report it to the operator of the server."
    )
    #expect(error?.code == .malformedResponse)
    #expect(try await connection.next(.reset, on: 1).code?.name == fault.code)

    connection.answer(3)
    #expect(try await whole.value.status == .ok)
    let next = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(5)
    #expect(try await next.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test(arguments: [
    Fault("a growth of 0 (§6.9)", [.windowUpdate(1, 0)]),
    Fault(
      "a growth beyond 2³¹-1 (§6.9.1)", code: "FLOW_CONTROL_ERROR",
      [.windowUpdate(1, 0x7FFF_FFFF), .windowUpdate(1, 1)]),
  ])
  func `a window that cannot be ends the upload that it is for`(_ fault: Fault) async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let broken = engine.begin(peer.post(.bytes(ByteBuffer(repeating: 0x78, count: 100_000))))
    let connection = try await peer.accept()
    try await connection.waitForData(65_535, on: 1)
    for frame in fault.frames { connection.send(frame) }
    let error = await #expect(throws: MartletError.self) { try await broken.value }
    #expect(error?.message.contains("(\(fault.code))") == true)
    try await connection.next(.reset, on: 1)
    let next = engine.begin(peer.get())
    #expect(try await connection.next(.headers, on: 3).isEnd)
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test(arguments: ["abc", "20", "2000", "099", "+20", ""])
  func `a status that is none ends the stream (§8.3.2)`(_ status: String) async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let broken = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1, [":status": status], end: true))
    let error = await #expect(throws: MartletError.self) { try await broken.value }
    #expect(
      error?.message == "The server's response is not HTTP/2: its status is “\(status)”.")
    let next = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }
}
