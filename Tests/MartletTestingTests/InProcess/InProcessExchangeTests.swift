import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

/// What an exchange handle does to a request that is answered in this process.
@Suite(.timeLimit(.minutes(5)))
struct InProcessExchangeTests {
  private let call = Call()
  private let events = AwaitableValue<[String]>([])

  init() {
    call.observe { [events] event in
      events.update { $0.append(String("\(event)".prefix { $0 != "(" })) }
    }
  }

  private func request(_ delivery: Delivery = .buffered) throws -> Request {
    var request = try Request(.get, "http://test/")
    request.delivery = delivery
    request.call = call
    return request
  }

  /// Answers with chunks, each of which is let go by one more of `permits`.
  private func dripping(_ permits: AwaitableValue<Int>) -> InProcessTransport {
    let router = ServerRouter([
      .get("/") { _ in
        ServerResponse(
          body: .producer(length: nil) { write in
            for count in 1...3 {
              try await permits.wait { $0 >= count }
              try await write(ByteBuffer(string: "\(count)"))
            }
          })
      }
    ])
    return InProcessTransport(router: router)
  }

  @Test func `a request that is suspended before its start reaches the handler when it is resumed`()
    async throws
  {
    call.suspend()
    let request = try request()
    let task = Task { try await dripping(AwaitableValue(3)).send(request) }
    try await events.wait { !$0.isEmpty }
    for _ in 0..<100 { await Task.yield() }
    #expect(events.current == ["attemptStarted"])
    call.resume()
    #expect(try await task.value.body.bytes == ByteBuffer(string: "123"))
    #expect(events.current.dropFirst().first == "sending")
  }

  @Test(arguments: [Delivery.buffered, .stream])
  func `while it is suspended a request gets no bytes`(delivery: Delivery) async throws {
    let permits = AwaitableValue(1)
    let request = try request(delivery)
    let task = Task { try await dripping(permits).send(request).body.collect() }
    try await events.wait { $0.last == "bodyReceived" }
    call.suspend()
    permits.update { $0 = 3 }
    for _ in 0..<100 { await Task.yield() }
    #expect(call.downloadTransfer.completed == 1)
    call.resume()
    #expect(try await task.value == ByteBuffer(string: "123"))
    #expect(call.downloadTransfer.completed == 3)
    #expect(events.current.last == "attemptFinished")
  }

  @Test(arguments: [Delivery.buffered, .stream], [true, false])
  func `cancelling ends a request, suspended or not`(delivery: Delivery, suspended: Bool)
    async throws
  {
    let request = try request(delivery)
    let task = Task { try await dripping(AwaitableValue(1)).send(request).body.collect() }
    try await events.wait { $0.last == "bodyReceived" }
    if suspended { call.suspend() }
    call.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(
      events.current == [
        "attemptStarted", "sending", "requestSent", "responseReceived", "bodyReceived",
        "attemptFailed",
      ])
  }

  @Test(arguments: [true, false])
  func `a request that is cancelled before its start never reaches the handler`(suspended: Bool)
    async throws
  {
    if suspended { call.suspend() }
    let request = try request()
    let task = Task { [call] in
      call.cancel()
      return try await dripping(AwaitableValue(3)).send(request)
    }
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(error?.request?.url == request.url)
    #expect(events.current == ["attemptStarted", "attemptFailed"])
  }

  @Test(arguments: [true, false])
  func `a stream whose reader is gone has failed`(begun: Bool) async throws {
    var response: Response? = try await dripping(AwaitableValue(1)).send(try request(.stream))
    if begun {
      var chunks = response?.body.makeAsyncIterator()
      #expect(try await chunks?.next() == ByteBuffer(string: "1"))
    }
    response = nil
    try await events.wait { $0.last == "attemptFailed" }
  }

  @Test func `an exchange that is over lets go of its request`() async throws {
    weak var released: Call?
    do {
      let call = Call()
      released = call
      var request = try request()
      request.call = call
      _ = try await dripping(AwaitableValue(3)).send(request)
    }
    // Its task may still be on its way out on another thread.
    for _ in 0..<10_000 where released != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(released == nil)
  }
}
