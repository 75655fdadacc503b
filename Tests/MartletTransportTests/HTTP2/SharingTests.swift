import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// One connection for all requests to an origin, as far as the peer allows (RFC 9113 §5.1.2).
@Suite(.timeLimit(.minutes(5)))
struct SharingTests {
  @Test func `64 requests go over one connection, each on a stream of its own`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let tasks = (0..<64).map { engine.begin(peer.get("/\($0)")) }
    let connection = try await peer.accept()
    var paths: [String: UInt32] = [:]
    for _ in tasks {
      let request = try await connection.request()
      paths[try #require(request[":path"])] = request.stream
    }
    #expect(paths.count == 64)
    // Answered in another order than they came, each gets its own.
    for (path, stream) in paths { connection.answer(stream, path) }
    for (number, task) in tasks.enumerated() {
      let response = try await task.value
      #expect(String(buffer: try await response.body.collect()) == "/\(number)")
    }
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `no request waits for a long exchange on a connection that has reached its age`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.connections.maximumPerOrigin = 1
      $0.connections.maximumAge = .milliseconds(100)
    }
    let long = engine.begin(peer.get())
    let connection = try await peer.accept([.maxConcurrentStreams: 1])
    _ = try await connection.request()
    try await connection.settle()
    let short = engine.begin(peer.get())
    let other = try await peer.accept()
    _ = try await other.request()
    other.answer(1)
    #expect(try await short.value.status == .ok)
    connection.answer(1)
    #expect(try await long.value.status == .ok)
    await peer.stop()
  }

  @Test func `only the first exchange of a connection does not reuse it`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    let second = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(3)
    connection.answer(1)
    #expect(try await !first.value.metrics.isConnectionReused)
    #expect(try await second.value.metrics.isConnectionReused)
    await peer.stop()
  }

  @Test func `beyond the peer's limit requests wait for room when one connection is all`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.connections.maximumPerOrigin = 1 }
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.maxConcurrentStreams: 2])
    _ = try await connection.request()
    try await connection.settle()
    let others = (0..<3).map { _ in engine.begin(peer.get()) }
    _ = try await connection.next(.headers, on: 3)
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.kind == .headers })
    connection.answer(3)
    _ = try await connection.next(.headers, on: 5)
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.kind == .headers })
    connection.answer(1)
    _ = try await connection.next(.headers, on: 7)
    connection.answer(5)
    connection.answer(7)
    for task in others + [first] { #expect(try await task.value.status == .ok) }
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `beyond the peer's limit another connection is opened, and not before`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.maxConcurrentStreams: 2])
    _ = try await connection.request()
    try await connection.settle()
    let second = engine.begin(peer.get())
    _ = try await connection.request()
    try await connection.settle()
    #expect(peer.connectionCount == 1)
    let third = engine.begin(peer.get())
    let other = try await peer.accept([.maxConcurrentStreams: 2])
    _ = try await other.request()
    connection.answer(1)
    connection.answer(3)
    other.answer(1)
    for task in [first, second, third] { #expect(try await task.value.status == .ok) }
    #expect(peer.connectionCount == 2)
    await peer.stop()
  }

  @Test func `a limit that is lowered and raised is obeyed (§6.5.2)`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.connections.maximumPerOrigin = 1 }
    var tasks = (0..<3).map { _ in engine.begin(peer.get()) }
    let connection = try await peer.accept()
    for _ in tasks { _ = try await connection.request() }
    connection.send(.settings([.maxConcurrentStreams: 1]))
    try await connection.settle()
    tasks += (0..<3).map { _ in engine.begin(peer.get()) }
    connection.answer(1)
    connection.answer(3)
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.kind == .headers })
    connection.answer(5)
    _ = try await connection.next(.headers, on: 7)
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.kind == .headers })
    connection.send(.settings([.maxConcurrentStreams: 3]))
    _ = try await connection.next(.headers, on: 9)
    _ = try await connection.next(.headers, on: 11)
    for stream: UInt32 in [7, 9, 11] { connection.answer(stream) }
    for task in tasks { #expect(try await task.value.status == .ok) }
    await peer.stop()
  }

  @Test func `a peer that has not said its limit is sent a hundred at most`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.connections.maximumPerOrigin = 1 }
    let tasks = (0..<120).map { _ in engine.begin(peer.get()) }
    let connection = try await peer.acceptInSilence()
    for _ in 0..<100 { _ = try await connection.request() }
    connection.send(.settings(), .settingsAck)
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.kind == .headers })
    for number: UInt32 in 0..<20 { connection.answer(number * 2 + 1) }
    for _ in 0..<20 { _ = try await connection.request() }
    for number: UInt32 in 20..<120 { connection.answer(number * 2 + 1) }
    for task in tasks { #expect(try await task.value.status == .ok) }
    await peer.stop()
  }

  @Test func `a peer that allows no stream for now is not asked over one connection after another`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.timeouts = .none }
    let first = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.settings([.maxConcurrentStreams: 0]))
    connection.answer(1)
    _ = try await first.value
    let tasks = (0..<3).map { _ in engine.begin(peer.get()) }
    try await connection.settle()
    #expect(peer.connectionCount == 1)
    connection.send(.settings([.maxConcurrentStreams: 3]))
    for stream: UInt32 in [3, 5, 7] {
      _ = try await connection.next(.headers, on: stream)
      connection.answer(stream)
    }
    for task in tasks { #expect(try await task.value.status == .ok) }
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `a peer that goes on allowing no stream is waited for as long as connecting may take`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.maxConcurrentStreams: 0])
    _ = try await connection.request()
    try await connection.settle()
    var request = peer.get()
    request.options.timeouts = Timeouts(connect: .milliseconds(200))
    let waiting = engine.begin(request)
    // Behind an exchange that is under way there is no hurry.
    try await Task.sleep(for: .milliseconds(400))
    let start = ContinuousClock.now
    connection.answer(1)
    _ = try await first.value
    let error = await #expect(throws: MartletError.self) { try await waiting.value }
    #expect(start.duration(to: .now) > .milliseconds(150))
    #expect(
      error?.message
        == "\(try peer.get().origin) allowed no request for 200 ms: try again later or raise the time-out."
    )
    #expect(error?.code == .timedOut)
    #expect(error?.phase == .connect)
    #expect(error?.isSafeToRetry == true)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }
}
