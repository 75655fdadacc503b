import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// Bodies that are cancelled when they have arrived whole and are unread.
@Suite(.timeLimit(.minutes(5)))
struct CancelledBodyTests {
  /// A response whose body has arrived to its end.
  private struct Arrived: Sendable {
    var response: Response
    var call: Call
  }

  private func arrive(_ url: String, at server: LoopbackServer, over engine: HTTPTransport)
    async throws -> Arrived
  {
    let isOver = AwaitableValue(false)
    let call = Call()
    call.observe { event in if case .attemptFinished = event.kind { isOver.update { $0 = true } } }
    var request = Request(url: server.url(url))
    request.delivery = .stream
    request.call = call
    let response = try await engine.send(request)
    try await isOver.wait { $0 }
    return Arrived(response: response, call: call)
  }

  @Test(.timeLimit(.minutes(2)), arguments: Wire.allCases)
  func `cancelling the exchange reaches the reader of a whole body`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let arrived = try await arrive("/bytes/100000", at: server, over: engine)
    var chunks = arrived.response.body.makeAsyncIterator()
    #expect(try await chunks.next() != nil)
    arrived.call.cancel()
    for _ in 0..<2 {
      let error = await #expect(throws: MartletError.self) { try await chunks.next() }
      #expect(error?.code == .cancelled)
    }
    #expect(arrived.response.body.completion == nil)
    await server.stop()
  }

  @Test(.timeLimit(.minutes(2)), arguments: Wire.allCases)
  func `cancelling the task that reads ends the reading of a whole body`(_ wire: Wire) async throws
  {
    let (server, engine) = try await wire.start()
    let arrived = try await arrive("/bytes/100000", at: server, over: engine)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await arrived.response.body.collect()
    }
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    // It stays so for other tasks: a part of the body must not be taken for the whole.
    let later = await #expect(throws: MartletError.self) {
      try await arrived.response.body.collect()
    }
    #expect(later?.code == .cancelled)
    await server.stop()
  }

  @Test func `a body that was read to its end stays as it is`() async throws {
    let (server, engine) = try await Wire.http1.start()
    let arrived = try await arrive("/bytes/1000", at: server, over: engine)
    var chunks = arrived.response.body.makeAsyncIterator()
    while try await chunks.next() != nil {}
    arrived.call.cancel()
    #expect(try await chunks.next() == nil)
    #expect(arrived.response.body.completion != nil)
    await server.stop()
  }

  @Test func `what a decoder holds is dropped, too`() async throws {
    let source = AwaitableValue(0)
    let call = Call()
    let body = try ResponseBody(stream: OneChunk(taken: source), of: call)
      .decoded(by: ContentDecoderFactory { SingleBytes() })
    var chunks = body.makeAsyncIterator()
    #expect(try await chunks.next() != nil)
    #expect(source.current == 1)
    call.cancel()
    let error = await #expect(throws: MartletError.self) { try await chunks.next() }
    #expect(error?.code == .cancelled)
  }

  /// Beside each other, so that the machine is busy and cancellations meet every state of a body.
  @Test(.timeLimit(.minutes(2)), arguments: [Wire.http1, .h2c])
  func `no cancelled body is read to its end`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start { $0.connections.maximumPerOrigin = 8 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let call = Call()
          var request = Request(url: server.url("/bytes/\(1000 * (number % 50))"))
          request.delivery = .stream
          request.call = call
          let response = try await engine.send(request)
          let reader = Task {
            for _ in 0..<number % 17 { await Task.yield() }
            if number % 2 == 0 { call.cancel() } else { withUnsafeCurrentTask { $0?.cancel() } }
            return try await response.body.collect()
          }
          let error = await #expect(throws: MartletError.self) { try await reader.value }
          #expect(error?.code == .cancelled)
        }
      }
      try await group.waitForAll()
    }
    engine.shutDown()
    try await server.waitForOpenConnections(0)
    await server.stop()
  }
}

/// A body of one chunk.
private struct OneChunk: ResponseBodySource {
  let taken: AwaitableValue<Int>
  var completion: ResponseBody.Completion? { nil }

  func next() async throws -> ByteBuffer? {
    taken.update { $0 += 1 }
    return taken.current == 1 ? ByteBuffer(repeating: 1, count: 8) : nil
  }

  func abandon() {}
}

/// Hands out every byte by itself.
private struct SingleBytes: ContentDecoder {
  mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) -> ByteBuffer? {
    input.readSlice(length: 1)
  }

  mutating func finish() {}
}
