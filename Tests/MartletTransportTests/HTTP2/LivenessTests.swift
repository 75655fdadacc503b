import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// Peers that fall silent (RFC 9113 §6.7), and how connections end.
@Suite(.timeLimit(.minutes(5)))
struct LivenessTests {
  @Test func `settings are acknowledged, and PING is answered with what it held`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    #expect(try await connection.next(.settings).isAck)
    connection.send(.ping(0x0123_4567_89AB_CDEF))
    let answer = try await connection.next(.ping)
    #expect(answer.isAck)
    #expect(answer.payload == ByteBuffer(integer: UInt64(0x0123_4567_89AB_CDEF)))
    connection.answer(1)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `a silent peer is asked, then given up, and the next request goes elsewhere`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      // A busy machine may need seconds for what comes before the silence.
      $0.http2.pingInterval = .seconds(3)
      $0.http2.pingTimeout = .seconds(7)
    }
    let tasks = (0..<2).map { _ in engine.begin(peer.post(.text("x"))) }
    let connection = try await peer.accept()
    for stream in [1, 3] as [UInt32] { try await connection.waitForData(1, on: stream) }
    // The last sign of life: the peer has read both bodies.
    connection.send(.ping(7))
    while try await !connection.next(.ping).isAck {}
    #expect(try await !connection.next(.ping).isAck)
    for task in tasks {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(
        error?.message
          == "\(try peer.get().origin) has not responded for 10 s, so the connection was closed: try again."
      )
      #expect(error?.code == .connectionLost)
    }
    try await connection.closed()
    let next = engine.begin(peer.get())
    let other = try await peer.accept()
    _ = try await other.request()
    other.answer(1)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test func `a peer that answers to being asked is waited for`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.pingInterval = .milliseconds(50)
      $0.http2.pingTimeout = .seconds(60)
    }
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    for _ in 0..<3 {
      var answer = try await connection.next(.ping)
      #expect(!answer.isAck)
      answer.flags = RawFrame.ack
      connection.send(answer)
    }
    connection.answer(1)
    #expect(try await task.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `an idle connection is asked only when that is wanted`() async throws {
    let peer = try await FramePeer.start()
    for interval in [nil, Duration.milliseconds(50)] {
      let engine = peer.engine {
        $0.http2.pingInterval = .milliseconds(100)
        $0.http2.pingTimeout = .seconds(60)
        $0.http2.idlePingInterval = interval
      }
      let task = engine.begin(peer.get())
      let connection = try await peer.accept()
      _ = try await connection.request()
      connection.answer(1)
      _ = try await task.value
      // A PING that was sent before the answer came does not count.
      try await connection.settle()
      let pings: @Sendable (FrameLog) -> Int = { $0.frames.count { $0.kind == .ping } }
      let before = pings(connection.log)
      if interval == nil {
        // Much longer than a peer that owes an answer may be silent.
        try await Task.sleep(for: .milliseconds(400))
        #expect(pings(connection.log) == before)
      } else {
        try await connection.wait("a PING") { pings($0) > 0 }
      }
    }
    await peer.stop()
  }

  @Test func `a connection that is idle too long is closed with a farewell (§5.4.1)`() async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.connections.keepAliveDuration = .milliseconds(50) }
    let connection = try await served(peer, engine)
    #expect(try await connection.next(.goAway).code == .noError)
    try await connection.closed()
    await peer.stop()
  }

  @Test func `an engine that is dropped says farewell`() async throws {
    let peer = try await FramePeer.start()
    let connection = try await served(peer, peer.engine())
    #expect(try await connection.next(.goAway).code == .noError)
    try await connection.closed()
    await peer.stop()
  }

  @Test func `shutting down resets what is under way`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let tasks = (0..<3).map { _ in engine.begin(peer.get()) }
    let connection = try await peer.accept()
    for _ in tasks { _ = try await connection.request() }
    engine.shutDown()
    for task in tasks {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(error?.code == .shutDown)
    }
    for stream: UInt32 in [1, 3, 5] {
      #expect(try await connection.next(.reset, on: stream).code == .cancel)
    }
    #expect(try await connection.next(.goAway).code == .noError)
    try await connection.closed()
    await peer.stop()
  }

  private func served(_ peer: FramePeer, _ engine: HTTPTransport) async throws -> FrameConnection {
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.answer(1)
    _ = try await task.value
    return connection
  }
}
