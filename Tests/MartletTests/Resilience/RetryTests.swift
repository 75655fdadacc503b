import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Requests that are sent again, with pauses that take no time.
@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
  /// Answers requests with statuses and errors, in order, and the last of them from then on.
  private final class Server: Sendable {
    enum Answer: Sendable {
      case status(Int, HTTPFields = [:])
      case error(MartletError)
    }

    private let answers: Locked<[Answer]>
    let requests = Locked<[Request]>([])

    init(_ answers: Answer...) {
      self.answers = Locked(answers)
    }

    var count: Int { requests.current.count }

    func answer(_ request: Request) throws -> Response {
      requests.withLock { $0.append(request) }
      let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      switch answer {
      case .error(let error): throw error
      case .status(let code, let headers):
        return .text(
          "body of \(code)", to: request, status: HTTPResponse.Status(code: code), headers: headers)
      }
    }
  }

  private let clock = VirtualClock()

  private func manager(
    _ server: Server, _ configure: (inout HTTPSessionManager.Configuration) -> Void = { _ in }
  ) throws -> HTTPSessionManager {
    let url = try #require(URL(string: "http://h/"))
    return HTTPSessionManager(baseURL: url) { [clock] in
      $0.transport = InProcessTransport { try server.answer($0) }
      $0.resilience.retry = .standard
      $0.resilience.clock = ResilienceClock(clock, random: { 0.5 })
      configure(&$0)
    }
  }

  private static let lost = MartletError(.connectionLost, "The connection was lost.", phase: .wait)
  private static var refused: MartletError {
    var error = MartletError(.connectionFailed, "It refused the connection.", phase: .connect)
    error.isSafeToRetry = true
    return error
  }

  // MARK: What is sent again

  @Test func `a request that has failed twice succeeds with the third attempt`() async throws {
    let server = Server(.status(503), .error(Self.lost), .status(200))
    let response = try await manager(server).response(.get, "users")
    #expect(try await response.text() == "body of 200")
    #expect(response.failedAttempts.map { "\($0.reason)" } == ["503", "connectionLost"])
    #expect(response.failedAttempts.map(\.pause) == [.milliseconds(100), .milliseconds(200)])
    #expect(clock.now.offset == .milliseconds(300))
    #expect(server.count == 3)
  }

  @Test func `without a policy nothing is sent again`() async throws {
    let server = Server(.status(503), .status(200))
    let response = try await manager(server) {
      $0.resilience = HTTPSessionManager.Configuration().resilience
    }.response(.get, "users")
    #expect(response.status == .serviceUnavailable)
    #expect(server.count == 1)
  }

  @Test func `the last response is the caller's, with the attempts before it`() async throws {
    let server = Server(.status(503))
    let response = try await manager(server).response(.get, "users")
    #expect(response.status == .serviceUnavailable)
    #expect(try await response.text() == "body of 503")
    #expect(response.failedAttempts.count == 2)
    #expect(server.count == 3)
  }

  @Test func `the error of a verb lists the attempts before it`() async throws {
    let server = Server(.status(503), .error(Self.lost), .status(500))
    let api = try manager(server)
    let error = await failure { try await api.get("users", as: String.self) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(
      error?.message
        == "Request failed: internal server error (500). Earlier attempts: 503 after 0 ms, connectionLost after 0 ms."
    )
    #expect(error?.failedAttempts.count == 2)
  }

  @Test func `the error of a connection lists the attempts before it`() async throws {
    let api = try manager(Server(.status(503), .error(Self.lost)))
    let error = await failure { try await api.response(.get, "users") }
    #expect(
      error?.message
        == "The connection was lost. Earlier attempts: 503 after 0 ms, connectionLost after 0 ms.")
    #expect(error?.request?.url.path == "/users")
  }

  @Test func `an error that would come again is thrown at once`() async throws {
    let server = Server(.error(MartletError(.certificateExpired, "It has expired.")))
    let api = try manager(server)
    let error = await failure { try await api.response(.get, "users") }
    #expect(error?.message == "It has expired.")
    #expect(server.count == 1)
  }

  // MARK: Methods that are not idempotent

  @Test func `a POST whose connection is lost is not sent again`() async throws {
    let server = Server(.error(Self.lost), .status(200))
    let api = try manager(server)
    let error = await failure { try await api.response(.post, "orders") }
    #expect(error?.code == .connectionLost)
    #expect(server.count == 1)
  }

  @Test func `a POST that the server has not received is sent again`() async throws {
    let server = Server(.error(Self.refused), .status(200))
    #expect(try await manager(server).response(.post, "orders").status == .ok)
  }

  @Test func `a POST with a key of its own is sent again with the same key`() async throws {
    let server = Server(.error(Self.lost), .status(200))
    _ = try await manager(server).response(.post, "orders", headers: ["Idempotency-Key": "7"])
    #expect(server.requests.current.map { $0.headers[.idempotencyKey] } == ["7", "7"])
  }

  @Test func `the policy can add a key to requests that need one`() async throws {
    let server = Server(.error(Self.lost), .status(200))
    let api = try manager(server) { $0.resilience.retry.addsIdempotencyKey = true }
    for _ in 1...2 { _ = try await api.response(.post, "orders") }
    _ = try await api.response(.get, "orders")
    let keys = server.requests.current.map { $0.headers[.idempotencyKey] }
    let key = try #require(keys[0])
    #expect(key.count == 38 && key.first == "\"" && key.last == "\"")
    #expect(keys[1] == key)
    #expect(keys[2] != key && keys[2] != nil)
    #expect(keys[3] == nil)
  }

  // MARK: One request's own policy

  @Test func `a request can forbid another attempt`() async throws {
    let server = Server(.status(503), .status(200))
    let response = try await manager(server).response(.get, "users") {
      $0.retryPolicy = .never
    }
    #expect(response.status == .serviceUnavailable)
    #expect(server.count == 1)
  }

  @Test func `a request can have a policy where the session has none`() async throws {
    let server = Server(.status(404), .status(200))
    let api = try manager(server) { $0.resilience.retry = .never }
    let response = try await api.response(.get, "users") {
      var policy = RetryPolicy()
      policy.statuses = [404]
      $0.retryPolicy = policy
    }
    #expect(response.status == .ok)
  }

  // MARK: Times

  @Test func `Retry-After is waited for`() async throws {
    let server = Server(.status(429, [.retryAfter: "30"]), .status(200))
    #expect(try await manager(server).response(.get, "users").status == .ok)
    #expect(clock.now.offset == .milliseconds(30_100))
  }

  @Test(arguments: ["31557600000", "99999999999999999999999999", "Tue, 06 Nov 2994 08:49:37 GMT"])
  func `a response that requires a wait of centuries is the caller's`(field: String) async throws {
    let server = Server(.status(503, [.retryAfter: field]), .status(200))
    #expect(try await manager(server).response(.get, "users").status == .serviceUnavailable)
    #expect(clock.now.offset == .zero)
    #expect(server.count == 1)
  }

  @Test func `no pause goes beyond the total time-out`() async throws {
    let server = Server(.status(503, [.retryAfter: "30"]), .status(200))
    let api = try manager(server) { $0.timeouts.total = .seconds(20) }
    #expect(try await api.response(.get, "users").status == .serviceUnavailable)
    let patient = try await api.response(.get, "users") {
      $0.options.timeouts = .total(.seconds(40))
    }
    #expect(patient.status == .ok)
  }

  @Test func `a cancellation ends the pause`() async throws {
    let server = Server(.status(503, [.retryAfter: "60"]))
    let api = try manager(server) { $0.resilience.clock = ResilienceClock() }
    let decisions = Locked(0)
    let call = Call()
    call.observe { [weak call] event in
      guard case .retryDecided = event.kind else { return }
      decisions.withLock { $0 += 1 }
      call?.cancel()
    }
    var request = try api.request(.get, "users")
    request.call = call
    let error = await failure { try await api.send(request) }
    #expect(error?.code == .cancelled)
    #expect(decisions.current == 1)
    let task = Task { try await api.send(Request("http://h/users")) }
    task.cancel()
    #expect(await failure { try await task.value }?.code == .cancelled)
  }

  // MARK: The budget

  @Test func `retries end when they are too large a share of the requests`() async throws {
    let server = Server(.status(503))
    let api = try manager(server)
    for _ in 1...100 { _ = try await api.response(.get, "users") }
    // The reserve is full at the first request, and each of the others earns a fifth.
    #expect(server.count == 100 + 10 + 19)
    _ = try await api.response(.get, "http://other/users")
    #expect(server.count == 129 + 3)
  }

  @Test func `without a budget each request is sent three times`() async throws {
    let server = Server(.status(503))
    let api = try manager(server) { $0.resilience.retry.budget = nil }
    for _ in 1...100 { _ = try await api.response(.get, "users") }
    #expect(server.count == 300)
  }

  // MARK: Events

  @Test func `each decision is an event with its reason`() async throws {
    let server = Server(.status(503, [.retryAfter: "1"]), .error(Self.lost))
    let api = try manager(server)
    var request = try api.request(.get, "users")
    let (call, events) = (Call(), Locked<[String]>([]))
    call.observe { event in
      if case .retryDecided(let decision) = event.kind {
        events.withLock { $0.append("\(decision)") }
      }
    }
    request.call = call
    _ = await failure { try await api.send(request) }
    #expect(
      events.current == [
        "attempt 2 of 3 in 1.1 s: 503, Retry-After 1 s", "attempt 3 of 3 in 200 ms: connectionLost",
        "gave up after attempt 3 of 3: connectionLost, no attempts are left",
      ])
    #expect(call.attemptCount == 3)
  }

  // MARK: Ways to send

  @Test func `the form with closures sends again as well`() async throws {
    let server = Server(.status(503), .status(200))
    let api = try manager(server)
    api.completionQueue = .global()
    api.responseSerializer = HTTPResponseSerializer()
    let isDone: Bool = await withCheckedContinuation { continuation in
      api.get("users", success: { _, _ in continuation.resume(returning: true) }) { _, _ in
        continuation.resume(returning: false)
      }
    }
    #expect(isDone)
    #expect(server.count == 2)
  }

  @Test func `a batch sends again as well`() async throws {
    let server = Server(.status(503), .status(503), .status(200))
    let api = try manager(server)
    let requests = try (1...5).map { try api.request(.get, "users/\($0)") }
    var statuses: [Int] = []
    for await outcome in api.send(requests, maximumConcurrent: 1) {
      statuses.append(try outcome.response.status.code)
    }
    #expect(statuses == [200, 200, 200, 200, 200])
    #expect(server.count == 7)
  }
}
