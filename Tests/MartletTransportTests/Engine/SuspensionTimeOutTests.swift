import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// While an exchange is suspended, no time-out runs but the total.
@Suite(.timeLimit(.minutes(5)))
struct SuspensionTimeOutTests {
  private static let limit = Duration.milliseconds(500)
  /// For connecting there is more patience, which is another test's matter.
  private static let timeouts = Timeouts(limit, connect: .seconds(30))
  /// Longer than the limit, so that any silence that counted would have ended the exchange.
  private static let rest = Duration.milliseconds(1000)

  @Test func `in the middle of a body`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .stall]),
      repeatsLast: true)
    let held = try await Held.start(Request(url: server.url()), Self.timeouts) { event in
      if case .bodyReceived = event.kind { true } else { false }
    }
    try await held.expectPatience(for: Self.rest)
    // From then on silence counts again, and from the beginning.
    let start = ContinuousClock.now
    held.call.resume()
    let error = try await held.failure()
    #expect(error.code == .timedOut)
    #expect(error.phase == .receive)
    #expect(start.duration(to: .now) >= Self.limit - .milliseconds(1))
    await server.stop()
  }

  @Test func `before the first byte`() async throws {
    let server = try await ScriptedServer.start(.silent, repeatsLast: true)
    let timeouts = Timeouts(connect: nil, firstByte: Self.limit, idle: Self.limit)
    let held = try await Held.start(Request(url: server.url()), timeouts) { event in
      if case .requestSent = event.kind { true } else { false }
    }
    try await held.expectPatience(for: Self.rest)
    let start = ContinuousClock.now
    held.call.resume()
    let error = try await held.failure()
    #expect(error.phase == .wait)
    #expect(start.duration(to: .now) >= Self.limit - .milliseconds(1))
    await server.stop()
  }

  @Test func `in the middle of an upload`() async throws {
    let server = try await ScriptedServer.start(.silent, repeatsLast: true)
    let body = RequestBody.producer(length: 2000) { write in
      try await write(ByteBuffer(repeating: 0x78, count: 1000))
      try await Task.sleep(for: .seconds(60))
    }
    let held = try await Held.start(
      Request(.post, url: server.url(), body: body), Self.timeouts
    ) { event in
      if case .bodySent = event.kind { true } else { false }
    }
    try await held.expectPatience(for: Self.rest)
    held.call.resume()
    #expect(try await held.failure().phase == .send)
    await server.stop()
  }

  @Test func `before it has begun`() async throws {
    let server = try await ScriptedServer.start(.silent, repeatsLast: true)
    let held = try await Held.start(Request(url: server.url()), Timeouts(Self.limit))
    try await held.expectPatience(for: Self.rest)
    #expect(server.connectionCount == 0)
    held.call.cancel()
    #expect(try await held.failure().code == .cancelled)
    await server.stop()
  }

  @Test func `the total goes on all the same`() async throws {
    let server = try await ScriptedServer.start(.silent, repeatsLast: true)
    let timeouts = Timeouts(connect: nil, total: Self.limit)
    let held = try await Held.start(Request(url: server.url()), timeouts) { event in
      if case .requestSent = event.kind { true } else { false }
    }
    #expect(
      try await held.failure().message
        == "The call to http://127.0.0.1:\(server.port) took longer than the 500 ms allowed in total: try again or raise the time-out."
    )
    await server.stop()
  }
}

/// An exchange that is suspended in the moment of an event, or before it begins.
private struct Held {
  let call = Call()
  private let task: Task<Response, any Error>
  private let state = AwaitableValue(Standing())

  private struct Standing {
    var isSuspended = false
    var error: MartletError?
  }

  /// - Throws: `MartletError` when the exchange fails before the moment has come, time after time: a
  ///   busy machine can make it late.
  static func start(
    _ request: Request, _ timeouts: Timeouts, at isMoment: (@Sendable (CallEvent) -> Bool)? = nil
  ) async throws -> Held {
    var attempts = 0
    while true {
      let held = Held(request, timeouts, at: isMoment)
      try await held.state.wait { $0.isSuspended || $0.error != nil }
      attempts += 1
      guard let error = held.state.current.error, !held.state.current.isSuspended else {
        return held
      }
      guard attempts < 25 else { throw error }
    }
  }

  private init(
    _ request: Request, _ timeouts: Timeouts, at isMoment: (@Sendable (CallEvent) -> Bool)?
  ) {
    var request = request
    request.call = call
    request.options.timeouts = timeouts
    let suspend: @Sendable () -> Void = { [call, state] in
      call.suspend()
      state.update { $0.isSuspended = true }
    }
    call.observe { [state] event in
      if case .attemptFailed(let error) = event.kind { state.update { $0.error = error } }
      if isMoment?(event) == true { suspend() }
    }
    if isMoment == nil { suspend() }
    task = Task { [request] in try await HTTPTransport().send(request) }
  }

  /// Lets time go by, in which nothing may fail.
  func expectPatience(for time: Duration) async throws {
    try await Task.sleep(for: time)
    #expect(state.current.error == nil)
  }

  func failure() async throws -> MartletError {
    let error = await #expect(throws: MartletError.self) { try await task.value }
    return try #require(error)
  }
}
