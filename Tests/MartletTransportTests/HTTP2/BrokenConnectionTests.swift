import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// A peer that breaks the rules of the connection loses it (RFC 9113 §5.4.1), and nothing else.
@Suite(.timeLimit(.minutes(5)))
struct BrokenConnectionTests {
  /// What a server does wrong while streams 1 and 3 are open, and 5 is over.
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

  private static func short(_ frame: RawFrame, by count: Int = 1) -> RawFrame {
    var frame = frame
    _ = frame.payload.readSlice(length: count)
    return frame
  }

  private static func open(_ frame: RawFrame) -> RawFrame {
    var frame = frame
    frame.flags &= ~RawFrame.endHeaders
    return frame
  }

  private static func on(_ stream: UInt32, _ frame: RawFrame) -> RawFrame {
    var frame = frame
    frame.stream = stream
    return frame
  }

  private static var overpadded: RawFrame {
    RawFrame(
      kind: .data, flags: RawFrame.padded, stream: 1, payload: ByteBuffer(bytes: [200, 1, 2]))
  }

  private static let faults = [
    Fault("a short PING (§6.7)", code: "FRAME_SIZE_ERROR", [short(.ping())]),
    Fault(
      "a short SETTINGS (§6.5)", code: "FRAME_SIZE_ERROR", [short(.settings([.enablePush: 0]))]),
    Fault("a short WINDOW_UPDATE (§6.9)", code: "FRAME_SIZE_ERROR", [short(.windowUpdate(0, 1))]),
    Fault("a short RST_STREAM (§6.4)", code: "FRAME_SIZE_ERROR", [short(.reset(1, .cancel))]),
    Fault("a frame beyond 16 KiB (§4.2)", code: "FRAME_SIZE_ERROR", [.data(1, count: 16_385)]),
    Fault("DATA on no stream (§6.1)", [.data(0, "x")]),
    Fault("HEADERS on no stream (§6.2)", [.headers(0)]),
    Fault("SETTINGS on a stream (§6.5)", [on(1, .settings())]),
    Fault("PING on a stream (§6.7)", [on(1, .ping())]),
    Fault("GOAWAY on a stream (§6.8)", [on(1, .goAway(0))]),
    Fault("HEADERS on an idle stream (§5.1)", [.headers(101)]),
    Fault("HEADERS on a stream of the server's (§5.1)", [.headers(2)]),
    Fault("DATA on an idle stream (§5.1)", [.data(101, "x")]),
    Fault("RST_STREAM on an idle stream (§6.4)", [.reset(101, .cancel)]),
    Fault("DATA on a closed stream (§5.1)", code: "STREAM_CLOSED", [.data(5, "x")]),
    Fault("HEADERS on a closed stream (§5.1)", code: "STREAM_CLOSED", [.headers(5)]),
    Fault("more padding than payload (§6.1)", [overpadded]),
    Fault("a growth of 0 for all (§6.9)", [.windowUpdate(0, 0)]),
    Fault(
      "a growth beyond 2³¹-1 for all (§6.9.1)", code: "FLOW_CONTROL_ERROR",
      [.windowUpdate(0, 0x7FFF_FFFF)]),
    Fault(
      "a window beyond 2³¹-1 (§6.5.2)", code: "FLOW_CONTROL_ERROR",
      [.settings([.initialWindowSize: 0x8000_0000])]),
    Fault("frames under 16 KiB (§6.5.2)", [.settings([.maxFrameSize: 16_383])]),
    Fault("a push setting of 2 (§6.5.2)", [.settings([.enablePush: 2])]),
    Fault(
      "PUSH_PROMISE, which was forbidden (§6.6)",
      [
        RawFrame(
          kind: .pushPromise, flags: RawFrame.endHeaders, stream: 1,
          payload: ByteBuffer(bytes: [0, 0, 0, 2, 0x82, 0x86, 0x84, 0x01, 1, 0x61]))
      ]),
    Fault(
      "an index that is not in the table (§4.3)", code: "COMPRESSION_ERROR",
      [
        RawFrame(
          kind: .headers, flags: RawFrame.endHeaders, stream: 1,
          payload: ByteBuffer(bytes: [0xFF, 0x80, 0x01]))
      ]),
    Fault("DATA inside a header block (§6.10)", [open(.headers(1)), .data(3, "x")]),
    Fault(
      "CONTINUATION of nothing (§6.10)",
      [RawFrame(kind: .continuation, flags: RawFrame.endHeaders, stream: 1)]),
  ]

  @Test(arguments: faults)
  func `a connection with a fault is closed with the code, and the next request finds another`(
    _ fault: Fault
  ) async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    let second = engine.begin(peer.get())
    _ = try await connection.request()
    let done = engine.begin(peer.get())
    #expect(try await connection.request().stream == 5)
    connection.answer(5)
    _ = try await done.value

    for frame in fault.frames { connection.send(frame) }
    for task in [first, second] {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(
        error?.message
          == "\(try peer.get().origin) broke the rules of HTTP/2 (\(fault.code)), so the connection was closed: set `versions` to `.http1` to use HTTP/1.1 instead."
      )
      #expect(error?.code == .connectionLost)
      #expect(error?.isSafeToRetry == false)
    }
    #expect(try await connection.next(.goAway).code?.name == fault.code)
    try await connection.closed()
    try await expectSuccess(engine, peer)
    await peer.stop()
  }

  @Test func `a frame of an unknown type is ignored (§4.1)`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let response = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(ByteBuffer(bytes: [0, 0, 2, 0xFA, 0xFF, 0, 0, 0, 1, 1, 2]))
    connection.answer(1)
    #expect(try await response.value.status == .ok)
    await peer.stop()
  }

  private func expectSuccess(_ engine: HTTPTransport, _ peer: FramePeer) async throws {
    let next = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.answer(1)
    #expect(try await next.value.status == .ok)
  }
}
