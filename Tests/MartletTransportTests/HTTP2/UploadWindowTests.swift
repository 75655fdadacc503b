import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// Uploads keep to the peer's windows, and their producers wait (RFC 9113 §6.9).
@Suite(.timeLimit(.minutes(5)))
struct UploadWindowTests {
  @Test(arguments: [100_000, 1_000])
  func `an upload stops exactly at its stream's window and goes on with it`(_ window: Int)
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: UInt32(window)])
    connection.send(.windowUpdate(0, 10_000_000))
    try await connection.settle()
    let task = engine.begin(peer.post(body(of: 200_000)))
    try await connection.waitForData(window, on: 3)
    try await connection.settle()
    #expect(connection.log.data[3] == window)
    connection.send(.windowUpdate(3, 777))
    try await connection.waitForData(window + 777, on: 3)
    try await connection.settle()
    #expect(connection.log.data[3] == window + 777)
    connection.send(.windowUpdate(3, 300_000))
    try await connection.waitForData(200_000, on: 3)
    connection.answer(3)
    #expect(try await task.value.metrics.bytesSent > 200_000)
    await peer.stop()
  }

  /// What others are granted says nothing of a stream's own window.
  @Test func `what a window allows is sent soon, however often the connection's grows`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 70_000])
    connection.send(.windowUpdate(0, 10_000_000))
    let task = engine.begin(peer.post(body(of: 200_000)))
    let growth = Task {
      while !Task.isCancelled {
        connection.send(.windowUpdate(0, 100))
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    for sum in [70_000, 140_000, 200_000] {
      try await connection.waitForData(sum, on: 3)
      connection.send(.windowUpdate(3, 70_000))
    }
    growth.cancel()
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `an upload stops exactly at the connection's window and goes on with it`() async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 10_000_000])
    let tasks = (0..<2).map { _ in engine.begin(peer.post(body(of: 200_000))) }
    let sum: @Sendable (FrameLog) -> Int = { $0.data.values.reduce(0, +) }
    try await connection.wait("65,535 bytes") { sum($0) == 65_535 }
    try await connection.settle()
    #expect(sum(connection.log) == 65_535)
    // What comes is for both, in turn.
    connection.send(.windowUpdate(0, 200_000))
    try await connection.wait("200,000 bytes more") { sum($0) == 265_535 }
    for stream: UInt32 in [3, 5] { #expect(connection.log.data[stream, default: 0] > 50_000) }
    connection.send(.windowUpdate(0, 200_000))
    for stream: UInt32 in [3, 5] {
      try await connection.waitForData(200_000, on: stream)
      connection.answer(stream)
    }
    for task in tasks { #expect(try await task.value.status == .ok) }
    await peer.stop()
  }

  @Test
  func `a new setting changes the windows of uploads under way, below zero if need be (§6.9.2)`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 10_000])
    connection.send(.windowUpdate(0, 10_000_000))
    let task = engine.begin(peer.post(body(of: 100_000)))
    try await connection.waitForData(10_000, on: 3)
    connection.send(.settings([.initialWindowSize: 25_000]))
    try await connection.waitForData(25_000, on: 3)
    // The window is at -20,000 now, and 19,999 do not bring it back.
    connection.send(.settings([.initialWindowSize: 5_000]))
    connection.send(.windowUpdate(3, 19_999))
    try await connection.settle()
    #expect(connection.log.data[3] == 25_000)
    connection.send(.windowUpdate(3, 2))
    try await connection.waitForData(25_001, on: 3)
    try await connection.settle()
    #expect(connection.log.data[3] == 25_001)
    // Streams that begin later begin with the new window.
    let other = engine.begin(peer.post(body(of: 100_000)))
    try await connection.waitForData(5_000, on: 5)
    try await connection.settle()
    #expect(connection.log.data[5] == 5_000)
    connection.send(.settings([.initialWindowSize: 1_000_000]))
    for stream: UInt32 in [3, 5] {
      try await connection.waitForData(100_000, on: stream)
      connection.answer(stream)
    }
    for task in [task, other] { #expect(try await task.value.status == .ok) }
    await peer.stop()
  }

  @Test func `a producer is ahead of the window by a chunk and what may wait`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 1_000_000])
    connection.send(.windowUpdate(0, 1_000_000))
    let produced = Locked(0)
    let chunk = ByteBuffer(repeating: 0x78, count: 50_000)
    let endless = RequestBody.producer(length: nil) { write in
      while true {
        try await write(chunk)
        produced.withLock { $0 += 50_000 }
      }
    }
    let task = engine.begin(peer.post(endless))
    try await connection.waitForData(1_000_000, on: 3)
    try await connection.settle()
    #expect(connection.log.data[3] == 1_000_000)
    #expect(produced.current <= 1_050_000 + UploadQueue.highWater)
    task.cancel()
    #expect(try await connection.next(.reset, on: 3).code == .cancel)
    await peer.stop()
  }

  @Test func `a producer of small chunks takes no more than its turn of a narrow window`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 10_000_000])
    let produced = AwaitableValue(0)
    let chunk = ByteBuffer(repeating: 0x78, count: 1 << 10)
    let endless = RequestBody.producer(length: nil) { write in
      while true {
        try await write(chunk)
        produced.update { $0 += 1 << 10 }
      }
    }
    let greedy = engine.begin(peer.post(endless))
    _ = try await connection.request()
    try await produced.wait { $0 >= 65_535 + UploadQueue.highWater / 2 }
    // Small enough to wait for the window from the moment in which its head leaves.
    let modest = engine.begin(peer.post(body(of: 60_000)))
    _ = try await connection.request()
    connection.send(.windowUpdate(0, 128 << 10))
    try await connection.settle()
    #expect(connection.log.data[5] == 60_000)
    try await connection.wait("the window to be used up") {
      $0.data.values.reduce(0, +) == 65_535 + 128 << 10
    }
    connection.answer(5)
    #expect(try await modest.value.status == .ok)
    greedy.cancel()
    #expect(try await connection.next(.reset, on: 3).code == .cancel)
    await peer.stop()
  }

  @Test func `a producer waits for a peer that does not read its socket`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 1_000_000_000])
    connection.send(.windowUpdate(0, 1_000_000_000))
    try await connection.settle()
    try await connection.setReading(false)
    let produced = Locked(0)
    let chunk = ByteBuffer(repeating: 0x78, count: 1 << 20)
    let body = RequestBody.producer(length: 24 << 20) { write in
      for _ in 0..<24 {
        try await write(chunk)
        produced.withLock { $0 += 1 }
      }
    }
    let task = engine.begin(peer.post(body))
    // The system's buffers hold some megabytes; once they are full, nothing moves.
    var last = -1
    while last != produced.current {
      last = produced.current
      try await Task.sleep(for: .milliseconds(300))
    }
    #expect(produced.current < 20)
    try await connection.setReading(true)
    try await connection.waitForData(24 << 20, on: 3)
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `a stream with a window of its own is not held up by one without`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 10_000])
    connection.send(.windowUpdate(0, 10_000_000))
    try await connection.settle()
    let slow = engine.begin(peer.post(body(of: 100_000)))
    try await connection.waitForData(10_000, on: 3)
    let fast = engine.begin(peer.post(body(of: 100_000)))
    try await connection.waitForData(10_000, on: 5)
    connection.send(.windowUpdate(5, 100_000))
    try await connection.waitForData(100_000, on: 5)
    connection.answer(5)
    #expect(try await fast.value.status == .ok)
    #expect(connection.log.data[3] == 10_000)
    connection.send(.windowUpdate(3, 100_000))
    try await connection.waitForData(100_000, on: 3)
    connection.answer(3)
    #expect(try await slow.value.status == .ok)
    await peer.stop()
  }

  /// Each row: the chunks of the body's producer.
  @Test(arguments: [4 << 20, 20_000, 700])
  func `windows that grow by each frame's length do not make frames small`(_ chunk: Int)
    async throws
  {
    // A chunk of 20 000 bytes has two frames, and three where the window ends in it.
    let least = 6 << 10
    let average = try await unlessLate(by: .milliseconds(50), on: [Self.loops]) {
      let average = try await Self.length / frameCount(ofChunks: chunk)
      guard average >= least else { throw SmallFrames(average: average) }
      return average
    }
    #expect(average >= least)
  }

  private static let length = 4 << 20
  /// Windows that grow late make frames small, so that the peer does not share its thread with other tests.
  private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private struct SmallFrames: Error {
    let average: Int
  }

  /// Uploads a body to a peer whose windows grow by the length of each frame; returns how many frames there were.
  private func frameCount(ofChunks chunk: Int) async throws -> Int {
    let count = Self.length
    let peer = try await FramePeer.start(on: Self.loops)
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [:])
    let body = RequestBody.producer(length: Int64(count)) { write in
      for start in stride(from: 0, to: count, by: chunk) {
        try await write(ByteBuffer(repeating: 0x78, count: min(chunk, count - start)))
      }
    }
    let task = engine.begin(peer.post(body))
    _ = try await connection.request()
    let frames = try await withTaskExecutorPreference(
      EngineExecutor(loop: Self.loops.next(), outsideWork: OutsideWork())
    ) {
      try await takeBody(of: connection)
    }
    #expect(connection.log.data[3] == count)
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    await peer.stop()
    return frames
  }

  /// Takes the body on stream 3, and lets both windows grow by the length of each frame; returns how many frames it had.
  private func takeBody(of connection: FrameConnection) async throws -> Int {
    var frames = 0
    while true {
      let data = try await connection.next(.data, on: 3)
      let count = data.payload.readableBytes
      if count > 0 {
        frames += 1
        connection.send(.windowUpdate(3, UInt32(count)), .windowUpdate(0, UInt32(count)))
      }
      if data.isEnd { return frames }
    }
  }

  @Test func `a window that is not worth a frame is used when it does not grow`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [:])
    let task = engine.begin(peer.post(body(of: 200_000)))
    try await connection.waitForData(65_535, on: 3)
    connection.send(.windowUpdate(3, 1_000_000), .windowUpdate(0, 1_000))
    try await connection.waitForData(66_535, on: 3)
    // That was all that the peer offers, so as much is not waited for again.
    connection.send(.windowUpdate(0, 1_000))
    try await connection.settle()
    #expect(connection.log.data[3] == 67_535)
    connection.send(.windowUpdate(0, 1_000_000))
    try await connection.waitForData(200_000, on: 3)
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `an upload that is suspended sends nothing until it is resumed`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 10_000])
    connection.send(.windowUpdate(0, 10_000_000))
    let call = Call()
    var request = peer.post(body(of: 100_000))
    request.call = call
    let task = engine.begin(request)
    try await connection.waitForData(10_000, on: 3)
    call.suspend()
    // The handle's message reaches the loop before the PING, for it is there already.
    try await connection.settle()
    connection.send(.windowUpdate(3, 100_000))
    try await connection.settle()
    #expect(connection.log.data[3] == 10_000)
    call.resume()
    try await connection.waitForData(100_000, on: 3)
    connection.answer(3)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test(arguments: [0, 1, 65_536, 65_537, 300_000])
  func `a body of any size and origin arrives whole, and its end is sent once`(_ count: Int)
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let connection = try await warm(engine, peer, [.initialWindowSize: 50_000])
    let bytes = ByteBuffer(repeating: 0x78, count: count)
    let bodies = [
      RequestBody.bytes(bytes), .producer(length: Int64(count)) { try await $0(bytes) },
      .producer(length: nil) { try await $0(bytes) },
    ]
    for (index, body) in bodies.enumerated() {
      let stream = UInt32(index) * 2 + 3
      let task = engine.begin(peer.post(body))
      let head = try await connection.request()
      #expect(head["content-length"] == (body.length == nil ? nil : String(count)))
      var received = 0
      var isEnd = head.isEnd
      while !isEnd {
        let data = try await connection.next(.data, on: stream)
        received += data.payload.readableBytes
        isEnd = data.isEnd
        let credit = UInt32(max(data.payload.readableBytes, 1))
        if !isEnd { connection.send(.windowUpdate(stream, credit)) }
        connection.send(.windowUpdate(0, credit))
      }
      #expect(received == count)
      connection.answer(stream)
      #expect(try await task.value.status == .ok)
    }
    try await connection.settle()
    #expect(!connection.log.frames.contains { $0.kind == .data || $0.kind == .reset })
    await peer.stop()
  }

  /// A connection that has served a request, so that the peer's settings are known.
  private func warm(
    _ engine: HTTPTransport, _ peer: FramePeer, _ settings: KeyValuePairs<RawFrame.Setting, UInt32>
  ) async throws -> FrameConnection {
    let first = engine.begin(peer.get())
    let connection = try await peer.accept(settings)
    _ = try await connection.request()
    connection.answer(1)
    _ = try await first.value
    return connection
  }

  private func body(of count: Int) -> RequestBody {
    .bytes(ByteBuffer(repeating: 0x78, count: count))
  }
}
