import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// Heads, interim responses and trailers (RFC 9113 §8.1), and how large they may be.
@Suite(.timeLimit(.minutes(5)))
struct ResponseTests {
  @Test func `trailers are there when the body has ended`() async throws {
    let name = try HTTPField.Name(validating: "x-sum")
    for delivery in [Delivery.buffered, .stream, .discard] {
      let response = try await answered(with: [
        .headers(1), .data(1, "ok"), .headers(1, ["x-sum": "7"], end: true),
      ]) { $0.delivery = delivery }
      _ = try await response.body.collect()
      #expect(response.trailers?[name] == "7")
    }
  }

  @Test func `interim responses are events, not answers`() async throws {
    let seen = Locked<[Int]>([])
    let response = try await answered(with: [
      .headers(1, [":status": "103", "link": "</a>"]), .headers(1, [":status": "102"]),
      .headers(1), .data(1, "", end: true),
    ]) { request in
      let call = Call()
      call.observe { event in
        if case .informationalResponse(let head) = event.kind {
          seen.withLock { $0.append(head.status.code) }
        }
      }
      request.call = call
    }
    #expect(response.status == .ok)
    #expect(seen.current == [103, 102])
  }

  @Test func `a length is no body where there can be none (§8.1.1)`() async throws {
    let head = try await answered(with: [
      .headers(1, [":status": "200", "content-length": "1000"], end: true)
    ]) { $0.method = .head }
    #expect(head.headers[.contentLength] == "1000")
    let notModified = try await answered(with: [
      .headers(1, [":status": "304", "content-length": "1000"], end: true)
    ])
    #expect(notModified.status.code == 304)
    #expect(notModified.body.bytes?.readableBytes == 0)
  }

  @Test
  func `fields keep their order and their duplicates, and cookies of one field stay together`()
    async throws
  {
    let response = try await answered(with: [
      .headers(
        1, [":status": "200", "set-cookie": "a=1", "b": "2", "set-cookie": "c=3"], end: true)
    ])
    #expect(response.headers.map(\.value) == ["a=1", "2", "c=3"])
    #expect(response.headers[values: .setCookie] == ["a=1", "c=3"])
  }

  @Test func `a discarded body ends its stream once it is longer than it is worth`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.limits.discardedBodySize = 10_000 }
    var request = peer.get()
    request.delivery = .discard
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1), .data(1, count: 10_001))
    #expect(try await task.value.status == .ok)
    #expect(try await connection.next(.reset, on: 1).code == .cancel)
    let next = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test(arguments: [
    nil, RawFrame.reset(1, .internalError), .reset(1, .noError), .data(1, count: 9, end: true),
  ])
  func `a discarded redirect needs no end`(end: RawFrame?) async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    var request = peer.get()
    request.delivery = .discard
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(
      .headers(1, [":status": "302", "location": "/x", "content-length": "100"]), .data(1, "half"))
    if let end { connection.send(end) }
    #expect(try await task.value.status == .found)
    let next = engine.begin(peer.get())
    _ = try await connection.next(.headers, on: 3)
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test(arguments: [("302", true), ("401", true), ("200", false)])
  func `a discarded body that its connection cuts short is missed with success only`(
    status: String, isEnough: Bool
  ) async throws {
    let peer = try await FramePeer.start()
    var request = peer.get()
    request.delivery = .discard
    let task = peer.engine().begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1, [":status": status, "content-length": "100"]), .data(1, "half"))
    await connection.close()
    if isEnough {
      #expect(try await task.value.status.code == Int(status))
    } else {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(error?.code == .bodyTruncated)
    }
    await peer.stop()
  }

  @Test(arguments: ["200", "404", "500"])
  func `a body over the limit ends its stream alone, whatever the status`(_ status: String)
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    var request = peer.get()
    request.delivery = .buffered(limit: 10)
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(
      .headers(1, [":status": status]), .data(1, "12345"), .data(1, "678901"))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .bodyTooLarge)
    #expect(try await connection.next(.reset, on: 1).code == .cancel)
    await peer.stop()
  }

  @Test(arguments: [false, true])
  func `a head over the limit ends its stream, and trailers do, too`(_ areTrailers: Bool)
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.limits.responseHeadSize = 20_000 }
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    if areTrailers { connection.send(.headers(1)) }
    connection.sendHead(of: 25_000, on: 1, areTrailers: areTrailers)
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(
      error?.message
        == "The head of the response is larger than 20000 bytes: raise `limits.responseHeadSize` if the server is to be trusted."
    )
    let next = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test func `a head within the limit may take many frames`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.sendHead(of: 200_000, on: 1)
    #expect(try await task.value.headers.first?.value.utf8.count == 200_000)
    await peer.stop()
  }

  @Test func `a head over twice the limit ends the connection`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.limits.responseHeadSize = 20_000 }
    let task = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.sendHead(of: 45_000, on: 1)
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.message.contains("broke the rules of HTTP/2 (") == true)
    try await connection.closed()
    let next = engine.begin(peer.get())
    let other = try await peer.accept()
    _ = try await other.request()
    other.answer(1)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  private func answered(with frames: [RawFrame], _ change: (inout Request) -> Void = { _ in })
    async throws -> Response
  {
    let peer = try await FramePeer.start()
    var request = peer.get()
    change(&request)
    let task = peer.engine().begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    for frame in frames { connection.send(frame) }
    let response = try await task.value
    if case .some = response.body.bytes { await peer.stop() }
    return response
  }
}

extension FrameConnection {
  /// Sends a head with one long field, cut into frames of 16 KiB.
  fileprivate func sendHead(of count: Int, on stream: UInt32, areTrailers: Bool = false) {
    let value = String(repeating: "x", count: count)
    var block = RawFrame.block(areTrailers ? ["a": value] : [":status": "200", "a": value])
    var kind = RawFrame.Kind.headers
    while let part = block.readSlice(length: min(block.readableBytes, 16_384)),
      part.readableBytes > 0
    {
      var flags = block.readableBytes == 0 ? RawFrame.endHeaders : 0
      if kind == .headers { flags |= RawFrame.endStream }
      send(RawFrame(kind: kind, flags: flags, stream: stream, payload: part))
      kind = .continuation
    }
  }
}
