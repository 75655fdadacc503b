import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// The part of an exchange in which a server misbehaves.
enum FaultPart: String, CaseIterable, Sendable {
  case accept = "after the connection was accepted"
  case tls = "in the TLS handshake"
  case proxy = "in the answer of a proxy"
  case head = "in the status line"
  case fields = "in the header fields"
  case body = "in the body"
  case trailers = "in the trailers"
  case kept = "on a connection that was kept"
  case upload = "during an upload"
  case pause = "while the call is suspended"
}

/// What the client sends to a server that misbehaves.
enum FaultExchange: Sendable {
  case get
  /// A body of three bytes.
  case post
  /// A body of so many bytes.
  case upload(Int = 1 << 20)
  /// A request after another one on the same connection, and if wanted after the end of that connection.
  case second(HTTPRequest.Method, afterEnd: Bool = false)
  /// A request that is suspended when the first bytes of its body have arrived, and resumed half a second later.
  case paused

  /// The time-out between two bytes.
  static let idle = Duration.milliseconds(250)
  private static let pause = Duration.milliseconds(500)
  /// How long after its time-out an error may come. Other errors come before the time-out.
  private static let tolerance = Duration.milliseconds(100)
  private static let short = RequestBody.text("abc")

  /// How an exchange has ended, and how long it took.
  struct Observation: Sendable {
    let ending: FaultEnding
    let duration: Duration
  }

  /// How often an exchange that is not in time is tried: again and again on a busy machine, where the server may be late,
  /// too.
  static func attempts(_ lateness: Duration) -> Int { lateness > .milliseconds(20) ? 60 : 3 }

  /// Whether a time-out came before its time.
  func isEarly(_ observation: Observation) -> Bool {
    let start = if case .paused = self { Self.pause } else { Duration.zero }
    return observation.ending.isTimeOut
      && observation.duration < start + Self.idle - .milliseconds(5)
  }

  /// Whether an exchange took as long as it may on a machine that has time for it.
  ///
  /// - Parameters:
  ///   - observation: The exchange.
  ///   - expected: How it must end.
  ///   - lateness: How late the machine was.
  /// - Returns: Whether it was in time. An answer always is.
  func isTimely(
    _ observation: Observation, for expected: FaultEnding, lateness: Duration
  ) -> Bool {
    guard case .error(let code, _, _, _) = observation.ending else { return true }
    let start = if case .paused = self { Self.pause } else { Duration.zero }
    guard code == .timedOut else { return observation.duration < start + Self.idle + lateness }
    return expected.isTimeOut
      && observation.duration <= start + Self.idle + Self.tolerance + lateness
  }

  /// Sends the request to the path `/fault`, if needed after another one to `/first`.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - request: Makes a request from its method and its path.
  /// - Returns: How the exchange has ended.
  /// - Throws: What `request` throws, and the error of the first request.
  func run(
    on engine: HTTPTransport, request: (HTTPRequest.Method, String) throws -> Request
  ) async throws -> Observation {
    if case .second(_, let afterEnd) = self {
      #expect(try await engine.send(request(.get, "/first")).status == .ok)
      if afterEnd { try await eventually { await engine.snapshot().servers.isEmpty } }
    }
    var request = try request(method, "/fault")
    request.body = body
    if case .paused = self { request.call = pausingCall() }
    let start = ContinuousClock.now
    let ending: FaultEnding
    do {
      let response = try await engine.send(request)
      #expect(response.status == .ok)
      ending = .answer(String(buffer: try await response.body.collect()))
    } catch let error as MartletError {
      ending = FaultEnding(error)
    }
    return Observation(ending: ending, duration: start.duration(to: .now))
  }

  private var method: HTTPRequest.Method {
    switch self {
    case .get, .paused: .get
    case .post, .upload: .post
    case .second(let method, _): method
    }
  }

  private var body: RequestBody {
    switch self {
    case .get, .paused, .second(.get, _): .empty
    case .post, .second: Self.short
    case .upload(let count): .bytes(ByteBuffer(repeating: 0x78, count: count))
    }
  }

  /// A call that is suspended when the first bytes of the body have arrived, and resumed after a pause.
  private func pausingCall() -> Call {
    let call = Call()
    let hasPaused = Locked(false)
    call.observe { [weak call] event in
      guard case .bodyReceived = event.kind else { return }
      let isFirst = hasPaused.withLock { hasPaused in
        defer { hasPaused = true }
        return !hasPaused
      }
      guard isFirst else { return }
      call?.suspend()
      Task {
        try await Task.sleep(for: Self.pause)
        call?.resume()
      }
    }
    return call
  }
}

extension HTTPTransport {
  /// Whether it has no requests, and makes no connections.
  var isQuiet: Bool {
    get async {
      await snapshot().servers.allSatisfy { server in
        server.waitingCount == 0 && server.connectingCount == 0 && server.suspendedCount == 0
          && server.connections.allSatisfy { $0.requestCount == 0 }
      }
    }
  }
}
