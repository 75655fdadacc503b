import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// What the peer may send ahead of its readers (RFC 9113 §6.9).
@Suite(.timeLimit(.minutes(5)))
struct DownloadWindowTests {
  @Test func `the windows are as configured from the start`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.initialStreamWindowSize = 300_000
      $0.http2.connectionWindowSize = 1_000_000
    }
    let task = engine.begin(peer.get())
    let connection = try await peer.acceptInSilence()
    let settings = try await connection.next(.settings).settings
    #expect(settings[.initialWindowSize] == 300_000)
    #expect(settings[.enablePush] == 0)
    #expect(try await connection.next(.windowUpdate).number == 1_000_000 - 65_535)
    connection.send(.settings(), .settingsAck)
    connection.answer(1)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test(arguments: [Int.max, 0, -1])
  func `sizes that cannot be are taken for the nearest that can`(_ size: Int) async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.initialStreamWindowSize = size
      $0.http2.maximumStreamWindowSize = size
      $0.http2.connectionWindowSize = size
      $0.http2.pingInterval = .seconds(Int64.max)
      $0.http2.pingTimeout = .seconds(Int64.max)
      $0.http2.idlePingInterval = .seconds(Int64.max)
      $0.limits.responseHeadSize = max(size, 100)
    }
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1), .data(1, "x"))
    try await connection.settle()
    connection.send(.data(1, "y", end: true))
    #expect(try await task.value.body.collect().readableBytes == 2)
    await peer.stop()
  }

  @Test func `a reader that does not read gets one window and what is buffered, no more`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.initialStreamWindowSize = 1_000_000
      $0.http2.maximumStreamWindowSize = 1_000_000
    }
    let task = engine.begin(streamed(peer))
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1))
    let response = try await task.value
    let sent = try await fill(connection, 1, window: 1_000_000)
    // Half of it was credited while the reader's buffer had room, and then nothing more.
    #expect(sent < 2_100_000)
    var received = 0
    for try await chunk in response.body {
      received += chunk.readableBytes
      guard received == sent else { continue }
      // Reading gives the window back.
      try await connection.wait("window") { 1_000_000 + $0.credit[1, default: 0] - sent >= 500_000 }
      connection.send(.data(1, "", end: true))
    }
    #expect(received == sent)
    await peer.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `one download that is not read slows none of the 63 others`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.initialStreamWindowSize = 100_000
      // Together they stay below the connection's, which filling one stream pays no heed to.
      $0.http2.maximumStreamWindowSize = 100_000
      $0.http2.connectionWindowSize = 500_000
    }
    let paused = engine.begin(streamed(peer))
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1))
    let body = try await paused.value
    _ = try await fill(connection, 1, window: 100_000)

    let tasks = (0..<63).map { _ in engine.begin(peer.get()) }
    for _ in tasks { _ = try await connection.request() }
    for number: UInt32 in 0..<63 { connection.send(.headers(number * 2 + 3)) }
    // 4 MB in all, which is much more than the connection's window.
    for round in 0..<4 {
      for number: UInt32 in 0..<63 {
        connection.send(.data(number * 2 + 3, count: 16_000, end: round == 3))
        try await hasWindow(connection, 16_000)
      }
    }
    for task in tasks { #expect(try await task.value.body.collect().readableBytes == 64_000) }
    #expect(body.status == .ok)
    await peer.stop()
  }

  @Test func `a suspended download gets no more window until it is resumed`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.initialStreamWindowSize = 100_000
      $0.http2.maximumStreamWindowSize = 100_000
    }
    let call = Call()
    var request = peer.get()
    request.call = call
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1), .data(1, count: 10_000))
    try await connection.settle()
    call.suspend()
    try await connection.settle()
    for _ in 0..<9 { connection.send(.data(1, count: 10_000)) }
    try await connection.settle()
    #expect(connection.log.credit[1] == nil)
    call.resume()
    try await connection.wait("a window") { $0.credit[1] == 100_000 }
    connection.send(.data(1, count: 10_000, end: true))
    #expect(try await task.value.body.collect().readableBytes == 110_000)
    await peer.stop()
  }

  @Test func `padding counts in both windows (§6.1)`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.initialStreamWindowSize = 65_535
      $0.http2.maximumStreamWindowSize = 65_535
      $0.http2.connectionWindowSize = 65_535
    }
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1))
    // Each frame takes 256 of the windows and brings one byte: without credit the 256th is too much.
    for number in 0..<1_000 {
      connection.send(RawFrame.data(1, "x", end: number == 999).padded(by: 254))
      if number % 100 == 99 { try await connection.settle() }
    }
    #expect(try await task.value.body.collect().readableBytes == 1_000)
    let used = 256 * 1_000
    #expect(connection.log.credit[0, default: 0] >= used - 65_535)
    #expect(connection.log.credit[0, default: 0] <= used)
    await peer.stop()
  }

  @Test func `what comes for cancelled downloads is given back to the connection`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.http2.connectionWindowSize = 65_535 }
    let first = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.answer(1)
    _ = try await first.value
    // Each gets 1,000 bytes after it was reset: three windows of the connection in all.
    for number: UInt32 in 1...200 {
      let stream = number * 2 + 1
      let task = engine.begin(peer.get())
      _ = try await connection.next(.headers, on: stream)
      connection.send(.headers(stream))
      task.cancel()
      _ = try await connection.next(.reset, on: stream)
      connection.send(.data(stream, count: 1_000))
      try await hasWindow(connection, 1_000)
    }
    let last = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(403)
    #expect(try await last.value.status == .ok)
    #expect(peer.connectionCount == 1)
    await peer.stop()
  }

  @Test func `a connection's window that is the default is not enlarged by nothing (§6.9)`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.http2.connectionWindowSize = 65_535 }
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.answer(1)
    #expect(try await task.value.status == .ok)
    #expect(!connection.log.frames.contains { $0.kind == .windowUpdate })
    await peer.stop()
  }

  @Test func `a peer that sends beyond a stream's window loses the stream`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.http2.initialStreamWindowSize = 10_000 }
    var request = streamed(peer)
    let call = Call()
    request.call = call
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1))
    let response = try await task.value
    call.suspend()
    try await connection.settle()
    connection.send(.data(1, count: 10_000), .data(1, "x"))
    #expect(try await connection.next(.reset, on: 1).code == .flowControlError)
    let error = await #expect(throws: MartletError.self) { try await response.body.collect() }
    #expect(
      error?.message
        == "The response of \(try peer.get().origin) breaks the rules of HTTP/2 (FLOW_CONTROL_ERROR): report it to the operator of the server."
    )
    await peer.stop()
  }

  @Test func `a peer that sends beyond the connection's window loses the connection`() async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.initialStreamWindowSize = 1_000_000
      $0.http2.connectionWindowSize = 65_535
    }
    let call = Call()
    var request = peer.get()
    request.call = call
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1))
    try await connection.settle()
    call.suspend()
    try await connection.settle()
    // So much at once that some read brings more than a window, however often that grows between two.
    connection.send(Array(repeating: .data(1, count: 16_000), count: 60))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.message.contains("(FLOW_CONTROL_ERROR)") == true)
    try await connection.closed()
    await peer.stop()
  }

  // MARK: Parts

  private func streamed(_ peer: FramePeer) -> Request {
    var request = peer.get()
    request.delivery = .stream
    return request
  }

  /// Sends as much as a stream's window allows, until it grows no more; how much that was.
  private func fill(_ connection: FrameConnection, _ stream: UInt32, window: Int) async throws
    -> Int
  {
    var sent = 0
    while sent < window + connection.log.credit[stream, default: 0] {
      let room = window + connection.log.credit[stream, default: 0] - sent
      let count = min(room, 10_000)
      connection.send(.data(stream, count: count))
      sent += count
      if room <= 10_000 { try await connection.settle() }
    }
    return sent
  }

  /// Returns when the connection's window, as the peer may count it, has room for `count` bytes more.
  private func hasWindow(_ connection: FrameConnection, _ count: Int) async throws {
    try await connection.wait("room") { log in
      65_535 + log.credit[0, default: 0] - log.sent >= count
    }
  }
}
