import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// Many requests as one batch.
@Suite(.timeLimit(.minutes(5)))
struct ResponseBatchTests {
  private let server: LoopbackServer
  private let engine = HTTPTransport(.oneLoop)

  init() async throws {
    server = try await .start()
  }

  @Test func `every request has one outcome, with its place and its request`() async throws {
    let requests = (0..<300).map { Request(url: server.url("/anything/\($0)")) }
    var places: Set<Int> = []
    for await outcome in engine.send(requests, maximumConcurrent: 16) {
      #expect(try outcome.response.status == .ok)
      #expect(outcome.request.url == requests[outcome.index].url)
      places.insert(outcome.index)
    }
    #expect(places == Set(0..<300))
    #expect(server.connectionCount <= 16)
  }

  @Test(.timeLimit(.minutes(1)))
  func `two readers of one iterator share the outcomes`() async throws {
    let requests = (0..<100).map { Request(url: server.url("/anything/\($0)")) }
    let readers = Readers(engine.send(requests, maximumConcurrent: 4))
    async let first = readers.readAll()
    async let second = readers.readAll()
    let (some, others) = await (first, second)
    #expect((some + others).sorted() == Array(0..<100))
  }

  @Test(.timeLimit(.minutes(1)))
  func `outcomes come as they finish, or in the order of the requests`() async throws {
    let othersServed = AwaitableValue(0)
    let router = ServerRouter([
      .get("/slow") { _ in
        try await othersServed.wait { $0 == 5 }
        return .text("slow")
      },
      .get("/fast") { _ in
        othersServed.update { $0 += 1 }
        return .text("fast")
      },
    ])
    let server = try await LoopbackServer.start(router: router)
    let requests =
      [Request(url: server.url("/slow"))] + (0..<5).map { _ in Request(url: server.url("/fast")) }
    var order: [Int] = []
    for await outcome in engine.send(requests).inOrder { order.append(outcome.index) }
    #expect(order == [0, 1, 2, 3, 4, 5])

    othersServed.update { $0 = -100 }
    order = []
    for await outcome in engine.send(requests) {
      order.append(outcome.index)
      if order.count == 5 { othersServed.update { $0 = 5 } }
    }
    #expect(order.last == 0)
    await server.stop()
  }

  @Test func `a failure is an outcome, and the others go on`() async throws {
    let port = try ReservedPort.refusing()
    let requests = [
      Request(url: server.url("/get")),
      Request(url: try #require(URL(string: "http://127.0.0.1:\(port.port)/"))),
      Request(url: server.url("/get")),
    ]
    var codes: [MartletError.Code?] = []
    for await outcome in engine.send(requests, maximumConcurrent: 1).inOrder {
      do throws(MartletError) {
        _ = try outcome.response
        codes.append(nil)
      } catch {
        codes.append(error.code)
      }
    }
    #expect(codes == [nil, .connectionFailed, nil])
  }

  @Test func `a batch and its engine describe themselves, and keep the engine's thread to itself`()
  {
    let batch = engine.send([Request(url: server.url("/get"))], maximumConcurrent: 32)
    #expect(batch.description == "<ResponseBatch: 32 at once, in order of completion>")
    #expect(batch.inOrder.description == "<ResponseBatch: 32 at once, in order of request>")
    #expect(engine.description == "<HTTPTransport>")
    for value in [batch, engine] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(!dumped.contains("EventLoop"))
    }
  }

  @Test func `a batch's requests are sent on the engine's own thread`() async throws {
    let engineThread = await engine.runOnEventLoop { UInt(pthread_self()) }
    let threads = Locked<Set<UInt>>([])
    let requests = (0..<50).map { _ in Request(url: server.url("/get")) }
    let batch = ResponseBatch(RequestSource(requests), limit: 8, on: engine) { request in
      threads.withLock { _ = $0.insert(UInt(pthread_self())) }
      defer { threads.withLock { _ = $0.insert(UInt(pthread_self())) } }
      return try await engine.send(request)
    }
    for await outcome in batch { #expect(try outcome.response.status == .ok) }
    #expect(threads.current == [engineThread])
  }

  @Test(.timeLimit(.minutes(1)))
  func `without an engine, the reader is woken for each that comes alone`() async throws {
    let read = AwaitableValue(0)
    let begun = Locked(0)
    let requests = (0..<40).map { _ in Request(url: server.url("/get")) }
    let batch = ResponseBatch(RequestSource(requests), limit: 8, on: nil) { request in
      let place = begun.withLock { begun in
        defer { begun += 1 }
        return begun
      }
      // Each goes on when the one before has been read.
      try await read.wait { $0 == place }
      return Response(head: ResponseHead(status: .ok), url: request.url)
    }
    for await outcome in batch {
      #expect(try outcome.response.status == .ok)
      read.update { $0 += 1 }
    }
    #expect(read.current == 40)
  }

  @Test(arguments: [0, -1]) func `a limit below one is taken for one`(limit: Int) async throws {
    let requests = (0..<3).map { _ in Request(url: server.url("/get")) }
    var count = 0
    for await outcome in engine.send(requests, maximumConcurrent: limit) {
      #expect(try outcome.response.status == .ok)
      count += 1
    }
    #expect(count == 3)
  }

  @Test func `an empty batch is over at once`() async {
    for await _ in engine.send([Request]()) { Issue.record("there is nothing to come") }
  }

  @Test func `requests are taken from their sequence as they are needed`() async throws {
    let endless = EndlessRequests(request: Request(url: server.url("/get")))
    let outcomes = engine.send(endless, maximumConcurrent: 4).makeAsyncIterator()
    for _ in 0..<20 { #expect(await outcomes.next() != nil) }
  }

  @Test func `there may be no limit`() async throws {
    let requests = (0..<3).map { _ in Request(url: server.url("/get")) }
    var count = 0
    for await outcome in engine.send(requests, maximumConcurrent: .max) {
      #expect(try outcome.response.status == .ok)
      count += 1
    }
    #expect(count == 3)
  }

  @Test func `leaving the loop cancels what is under way`() async throws {
    let underWay = AwaitableValue((begun: 0, cancelled: 0))
    let requests = (0..<8).map { _ in
      var request = Request(url: server.url("/delay/10"))
      let call = Call()
      call.observe { event in
        switch event.kind {
        case .attemptStarted: underWay.update { $0.begun += 1 }
        case .attemptFailed(let error) where error.code == .cancelled:
          underWay.update { $0.cancelled += 1 }
        default: break
        }
      }
      request.call = call
      return request
    }
    let first = Request(url: server.url("/get"))
    for await _ in engine.send([first] + requests, maximumConcurrent: 9) { break }
    try await underWay.wait { $0.begun == 8 && $0.cancelled == 8 }
  }

  @Test func `cancelling the reader ends the batch without waiting for the rest`() async throws {
    let server = try await ScriptedServer.start(.silent, repeatsLast: true)
    var request = Request(url: server.url())
    // Nothing but the cancellation ends them.
    request.options.timeouts = Timeouts.none
    let requests = Array(repeating: request, count: 8)
    let reader = Task {
      var count = 0
      for await _ in engine.send(requests, maximumConcurrent: 8) { count += 1 }
      return count
    }
    try await server.waitForRequests(8)
    reader.cancel()
    #expect(await reader.value == 0)
    await server.stop()
  }

  @Test func `work on the engine's own thread sends like any other`() async throws {
    let server = server
    let sum = try await engine.runOnEventLoop {
      var sum = 0
      for _ in 0..<10 {
        let response = try await engine.send(Request(url: server.url("/bytes/7")))
        sum += response.body.bytes?.readableBytes ?? 0
      }
      return sum
    }
    #expect(sum == 70)
  }

  @Test func `work on the engine's own thread begins there`() async throws {
    let names = await engine.runOnEventLoop {
      let begun = threadName()
      await Task.yield()
      return (begun, threadName())
    }
    #expect(names.0 == names.1)
    #expect(names.0.hasPrefix("NIO"))
  }
}

private func threadName() -> String { Thread.current.name ?? "" }

private struct EndlessRequests: Sequence, IteratorProtocol, Sendable {
  let request: Request

  func next() -> Request? { request }
}

/// Calls one iterator from two tasks, which an actor lets take turns at every suspension.
private actor Readers {
  private let iterator: ResponseBatch.Iterator

  init(_ batch: ResponseBatch) {
    iterator = batch.makeAsyncIterator()
  }

  func readAll() async -> [Int] {
    var places: [Int] = []
    while let outcome = await iterator.next() { places.append(outcome.index) }
    return places
  }
}
