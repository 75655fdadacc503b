import Dispatch
import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import NIOPosix
import TestTiming
import Testing

/// A server that goes away (RFC 9113 §6.8), and one that is gone.
@Suite(.timeLimit(.minutes(5)))
struct GoAwayTests {
  @Test func `streams up to the last finish, those above go out again, new ones go elsewhere`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let started = try await begin(4, on: peer, engine)
    started.connection.send(.goAway(3))
    try await started.connection.settle()
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/2")
    #expect(try await other.request()[":path"] == "/3")
    let new = engine.begin(peer.get("/new"))
    #expect(try await other.request()[":path"] == "/new")

    started.connection.answer(1, "one")
    #expect(try await text(started.tasks[0]) == "one")
    #expect(!started.connection.log.isClosed)
    started.connection.answer(3, "two")
    #expect(try await text(started.tasks[1]) == "two")
    try await started.connection.closed()

    for stream: UInt32 in [1, 3, 5] { other.answer(stream, "\(stream)") }
    #expect(try await text(started.tasks[2]) == "1")
    #expect(try await text(started.tasks[3]) == "3")
    #expect(try await text(new) == "5")
    #expect(peer.connectionCount == 2)
    await peer.stop()
  }

  @Test func `a farewell in two steps loses nothing`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let started = try await begin(2, on: peer, engine)
    started.connection.send(.goAway(0x7FFF_FFFF))
    try await started.connection.settle()
    let late = engine.begin(peer.get("/late"))
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/late")
    started.connection.send(.goAway(1))
    #expect(try await other.request()[":path"] == "/1")
    started.connection.answer(1)
    other.answer(1)
    other.answer(3)
    for task in started.tasks + [late] { #expect(try await task.value.status == .ok) }
    try await started.connection.closed()
    await peer.stop()
  }

  @Test func `requests that wait for a place do not wait for a connection that goes away`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.maxConcurrentStreams: 0])
    _ = try await connection.request()
    try await connection.settle()
    let second = engine.begin(peer.get("/waiting"))
    try await connection.settle()
    connection.send(.goAway(1))
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/waiting")
    other.answer(1)
    connection.answer(1)
    for task in [first, second] { #expect(try await task.value.status == .ok) }
    await peer.stop()
  }

  @Test func `the trailers of an old stream do not hide what was begun after it`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let mayEnd = AwaitableValue(false)
    var upload = peer.post(
      .producer(length: nil) { write in try await write(ByteBuffer(string: "x")) })
    upload.trailers = .computed {
      try await mayEnd.wait { $0 }
      return [.age: "1"]
    }
    let first = engine.begin(upload)
    let connection = try await peer.accept()
    try await connection.waitForData(1, on: 1)
    _ = try await connection.request()
    let second = engine.begin(peer.post(.text("y")))
    try await connection.waitForData(1, on: 3)
    _ = try await connection.request()
    mayEnd.update { $0 = true }
    #expect(try await connection.request()["age"] == "1")
    connection.send(.goAway(3))
    connection.answer(1)
    connection.answer(3, "once")
    #expect(try await first.value.status == .ok)
    #expect(try await text(second) == "once")
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `an idle connection is closed at once`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let started = try await begin(1, on: peer, engine)
    started.connection.answer(1)
    _ = try await started.tasks[0].value
    started.connection.send(.goAway(1))
    try await started.connection.closed()
    let next = engine.begin(peer.get())
    let other = try await peer.accept()
    _ = try await other.request()
    other.answer(1)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test func `the error shows the code and the debug data of the server`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let started = try await begin(2, on: peer, engine)
    started.connection.send(.goAway(3, .enhanceYourCalm, "too_many_\npings"))
    for task in started.tasks {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(
        error?.message
          == "\(try peer.get().origin) closed the connection (ENHANCE_YOUR_CALM, “too_many_\\u{a}pings”): try again later."
      )
      #expect(error?.code == .connectionLost)
      #expect(error?.isSafeToRetry == false)
    }
    try await started.connection.closed()
    await peer.stop()
  }

  @Test func `an error, too, lets go out again what was not accepted`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.post(.text("x")))
    let connection = try await peer.accept()
    try await connection.waitForData(1, on: 1)
    let second = engine.begin(peer.post(.text("y")))
    try await connection.waitForData(1, on: 3)
    connection.send(.goAway(1, .internalError))
    let other = try await peer.accept()
    try await other.waitForData(1, on: 1)
    other.answer(1)
    #expect(try await second.value.status == .ok)
    let error = await #expect(throws: MartletError.self) { try await first.value }
    #expect(
      error?.message
        == "\(try peer.get().origin) closed the connection (INTERNAL_ERROR): try again later.")
    #expect(error?.isSafeToRetry == false)
    await peer.stop()
  }

  @Test func `an error has idempotent requests sent again that nothing has come for`() async throws
  {
    // Apache's mod_http2 2.4 ends the connection with an error when a request is cancelled whose answer is about
    // to begin.
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let started = try await begin(3, on: peer, engine)
    started.tasks[0].cancel()
    try await started.connection.next(.reset, on: 1)
    started.connection.send(.headers(5), .data(5, "some"))
    try await started.connection.settle()
    started.connection.send(.goAway(5, .protocolError))
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/1")
    other.answer(1, "again")
    #expect(try await text(started.tasks[1]) == "again")
    let error = await #expect(throws: MartletError.self) { try await started.tasks[2].value }
    #expect(error?.code == .connectionLost)
    #expect(error?.response?.status == .ok)
    try await started.connection.closed()
    await peer.stop()
  }

  @Test func `a server that goes away with an error each time is asked twice`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    for _ in 0..<2 {
      let connection = try await peer.accept()
      _ = try await connection.request()
      connection.send(.goAway(1, .internalError))
    }
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .connectionLost)
    #expect(error?.isSafeToRetry == false)
    #expect(peer.connectionCount == 2)
    await peer.stop()
  }

  @Test func `a body that cannot be sent twice leaves that to the caller`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let body = RequestBody.producer(length: nil, isReplayable: false) { write in
      try await write(ByteBuffer(string: "once"))
      try await Task.sleep(for: .seconds(60))
    }
    let task = engine.begin(peer.post(body))
    let connection = try await peer.accept()
    try await connection.waitForData(4, on: 1)
    connection.send(.goAway(0))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.isSafeToRetry == true)
    #expect(
      error?.message
        == "\(try peer.get().origin) closed the connection (NO_ERROR): try again later.")
    await peer.stop()
  }

  @Test func `a body that can be sent twice is, from its beginning`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let body = ByteBuffer(repeating: 0x78, count: 200_000)
    let task = engine.begin(peer.post(.bytes(body)))
    let connection = try await peer.accept()
    try await connection.waitForData(65_535, on: 1)
    connection.send(.goAway(0))
    let other = try await peer.accept([.initialWindowSize: 1 << 20])
    other.send(.windowUpdate(0, 1 << 20))
    try await other.waitForData(200_000, on: 1)
    other.answer(1)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `the error of a connection that drops in mid-body shows how much had come`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let started = try await begin(3, on: peer, engine)
    started.connection.send(
      .headers(1, [":status": "200", "content-length": "10"]), .data(1, "four"), .headers(3),
      .data(3, "seven"))
    try await started.connection.settle()
    await started.connection.close()
    var error = await #expect(throws: MartletError.self) { try await started.tasks[0].value }
    #expect(
      error?.message
        == "The connection ended after 4 of 10 bytes of the body, before it was complete: try again."
    )
    #expect(error?.code == .bodyTruncated)
    #expect(error?.response?.status == .ok)
    error = await #expect(throws: MartletError.self) { try await started.tasks[1].value }
    #expect(
      error?.message
        == "The connection ended after 5 bytes of the body, before it was complete: try again.")
    // What had no answer yet, and may be sent twice, goes out again.
    let other = try await peer.accept()
    #expect(try await other.request()[":path"] == "/2")
    other.answer(1)
    #expect(try await started.tasks[2].value.status == .ok)
    await peer.stop()
  }

  @Test func `a connection that is found closed still gives the answers that had come`()
    async throws
  {
    let peer = try await FramePeer.start()
    // A loop of its own: other tests must not be held up.
    let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let engine = peer.engine { $0.eventLoopGroup = loops }
    let first = engine.begin(peer.post(.text("x")))
    let connection = try await peer.accept()
    try await connection.waitForData(1, on: 1)
    // The engine's loop is held up while the peer answers, closes, and a request comes that would not
    // survive being sent to it.
    let isHeldUp = Locked(false)
    let goOn = DispatchSemaphore(value: 0)
    let call = Call()
    call.observe { event in
      guard case .sending(_, _, isConnectionReused: true) = event.kind, !isHeldUp.current else {
        return
      }
      isHeldUp.withLock { $0 = true }
      goOn.wait()
    }
    var request = peer.get()
    request.call = call
    let second = engine.begin(request)
    try await eventually { isHeldUp.current }
    connection.answer(1, "first")
    await connection.close()
    let third = engine.begin(peer.post(.text("y")))
    try await Task.sleep(for: .milliseconds(50))
    goOn.signal()
    #expect(try await text(first) == "first")
    let other = try await peer.accept()
    for _ in 0..<2 { other.answer(try await other.request().stream) }
    for task in [second, third] { #expect(try await task.value.status == .ok) }
    engine.shutDown()
    await peer.stop()
    try await loops.shutdownGracefully()
  }

  @Test func `a server that answers in HTTP/1.1 is an error of its own`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    let connection = try await peer.acceptInSilence()
    try await connection.next(.headers)
    connection.send(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(
      error?.message
        == "\(try peer.get().origin) does not speak HTTP/2: set `versions` to `.automatic` to allow HTTP/1.1."
    )
    #expect(error?.code == .protocolNotSupported)
    await peer.stop()
  }

  // MARK: Parts

  private struct Started {
    var connection: FrameConnection
    var tasks: [Task<Response, any Error>]
  }

  /// Requests for `/0`, `/1` … on streams 1, 3 …
  private func begin(_ count: Int, on peer: FramePeer, _ engine: HTTPTransport) async throws
    -> Started
  {
    var tasks = [engine.begin(peer.get("/0"))]
    let connection = try await peer.accept()
    _ = try await connection.request()
    for number in 1..<max(count, 1) {
      tasks.append(engine.begin(peer.get("/\(number)")))
      _ = try await connection.request()
    }
    return Started(connection: connection, tasks: tasks)
  }

  private func text(_ task: Task<Response, any Error>) async throws -> String {
    String(buffer: try await task.value.body.collect())
  }
}
