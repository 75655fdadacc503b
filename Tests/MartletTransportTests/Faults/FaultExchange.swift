import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import TestTiming
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
  /// How long resolving, connecting and TLS may take, which are not the part with the fault.
  private static let preparation = Duration.seconds(1)
  /// How late a machine may wake tasks without an effect on an exchange, which needs half a dozen of them.
  private static let notableLateness = Duration.milliseconds(10)
  /// How much earlier than its time a time-out may seem to come.
  private static let earliness = Duration.milliseconds(5)
  private static let short = ByteBuffer(string: "abc")
  /// The longest body, in which no letter is like its neighbours, nor like those that a frame or a chunk is away.
  private static let long = {
    let letters = ByteBuffer(bytes: (0..<89).map { 0x20 + $0 })
    var long = ByteBuffer()
    while long.readableBytes < 16 << 20 { long.writeImmutableBuffer(letters) }
    return long
  }()

  /// How an exchange has ended, and how long it took since it was sent; of an upload, since its last bytes were.
  struct Observation: Sendable {
    let ending: FaultEnding
    let duration: Duration
    /// How long it took in all.
    let total: Duration
    /// Whether the call was suspended meanwhile.
    let wasPaused: Bool
  }

  /// How often an exchange is tried that is not in time, or of which a late machine may have changed the ending.
  ///
  /// A busy machine delays the right ending, and one that wakes tasks late can delay the server until another ending comes. Not all
  /// of its lateness is seen, so that a few attempts are allowed in any case.
  private static func attempts(_ lateness: Duration) -> Int {
    lateness > notableLateness ? 60 : 3
  }

  private var isUpload: Bool {
    if case .upload = self { true } else { false }
  }

  /// When the idle time-out of a silent server is over.
  private var timeOut: Duration {
    if case .paused = self { Self.pause + Self.idle } else { Self.idle }
  }

  /// Whether a time-out came before its time. If it was the server that was late, it may come before the call is suspended.
  private func isEarly(_ observation: Observation) -> Bool {
    let limit = Self.idle + (observation.wasPaused ? Self.pause : .zero)
    return observation.ending.isTimeOut && observation.duration < limit - Self.earliness
  }

  /// Whether a time-out may seem to come before its time on a machine that was late: a client that sees its last bytes leave later
  /// than they did, or suspends a call later than it wants to, begins to measure too late.
  private func maySeemEarly(_ lateness: Duration) -> Bool {
    switch self {
    case .upload: lateness > Self.earliness
    case .paused: lateness > Self.notableLateness
    case .get, .post, .second: false
    }
  }

  /// Whether an exchange took as long as it may on a machine that has time for it.
  ///
  /// - Parameters:
  ///   - observation: The exchange.
  ///   - expected: How it must end.
  ///   - lateness: How late the machine was.
  /// - Returns: Whether it was in time. An answer always is.
  private func isTimely(
    _ observation: Observation, for expected: FaultEnding, lateness: Duration
  ) -> Bool {
    guard case .error(let code, _, _, _) = observation.ending else { return true }
    guard observation.total < timeOut + Self.preparation + lateness || isUpload else {
      return false
    }
    guard code == .timedOut else { return observation.duration < timeOut + lateness }
    return expected.isTimeOut && observation.duration <= timeOut + Self.tolerance + lateness
  }

  /// Does the exchange at a site of its own, again if a busy machine has made it late, and expects how it ends.
  ///
  /// - Parameters:
  ///   - expected: How it must end.
  ///   - route: The name of the way to the server.
  ///   - makeSite: Starts a server and an engine.
  ///   - afterwards: What is expected of the site after the exchange.
  /// - Throws: What the site throws.
  func check<Site: FaultySite>(
    _ expected: FaultEnding, on route: String, at makeSite: () async throws -> Site,
    afterwards: (Site) async throws -> Void
  ) async throws {
    for attempt in 1... {
      let site = try await makeSite()
      let ((observation, lateness), latenessOfMachine) = try await measuringLateness {
        try await measuringLateness(ofLoops: true) {
          try await run(on: site.engine, request: site.request)
        }
      }
      let (ending, text) = (
        observation.ending.text, expected.text(of: site.origin, through: site.proxyName)
      )
      let isLast = attempt >= Self.attempts(lateness)
      // A machine that was late each time is allowed its lateness, but not that of the loops, which the engine may hold up.
      let isTimely = isTimely(
        observation, for: expected, lateness: isLast ? latenessOfMachine : .zero)
      let isEarly = isEarly(observation)
      let maySeemEarly = maySeemEarly(lateness)
      // Before a task of the server that was late, a time-out may have passed, or the client have sent its whole body.
      let mayDiffer =
        lateness > Self.notableLateness && (isUpload || observation.ending.isTimeOut)
      guard
        isLast || isTimely && (!isEarly || !maySeemEarly) && (ending == text || !mayDiffer)
      else {
        try await site.close()
        continue
      }
      #expect(ending == text, "\(route)")
      #expect(!isEarly, "\(route): \(observation.duration)")
      #expect(isTimely, "\(route): \(observation.duration), \(observation.total) in all")
      try await afterwards(site)
      return try await site.close()
    }
  }

  /// Sends the request to the path `/fault`, if needed after another one to `/first`.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - request: Makes a request from its method and its path.
  /// - Returns: How the exchange has ended.
  /// - Throws: What `request` throws, and the error of the first request.
  private func run(
    on engine: HTTPTransport, request: (HTTPRequest.Method, String) throws -> Request
  ) async throws -> Observation {
    if case .second(_, let afterEnd) = self {
      var first = try request(.get, "/first")
      first.options.timeouts = Timeouts()
      #expect(try await engine.send(first).status == .ok)
      if afterEnd { try await eventually { await engine.snapshot().servers.isEmpty } }
    }
    var request = try request(method, "/fault")
    if content.readableBytes > 0 { request.body = .bytes(content) }
    let begun = ContinuousClock.now
    let (lastSent, wasPaused) = (Locked(begun), Locked(false))
    let call = Call()
    call.observe { event in
      switch event.kind {
      case .sending: break
      case .bodySent where isUpload: break
      default: return
      }
      lastSent.withLock { $0 = .now }
    }
    if case .paused = self { pause(call, wasPaused) }
    request.call = call
    let ending: FaultEnding
    do {
      let response = try await engine.send(request)
      #expect(response.status == .ok)
      ending = .answer(String(buffer: try await response.body.collect()))
    } catch let error as MartletError {
      ending = FaultEnding(error)
    }
    return Observation(
      ending: ending, duration: lastSent.current.duration(to: .now),
      total: begun.duration(to: .now), wasPaused: wasPaused.current)
  }

  private var method: HTTPRequest.Method {
    switch self {
    case .get, .paused: .get
    case .post, .upload: .post
    case .second(let method, _): method
    }
  }

  /// The body of the request that meets the fault.
  var content: ByteBuffer {
    switch self {
    case .get, .paused, .second(.get, _): ByteBuffer()
    case .post, .second: Self.short
    case .upload(let count): ByteBuffer(Self.long.readableBytesView.prefix(count))
    }
  }

  /// Suspends a call when the first bytes of the body have arrived, and resumes it after a pause.
  private func pause(_ call: Call, _ wasPaused: Locked<Bool>) {
    call.observe { [weak call] event in
      guard case .bodyReceived = event.kind else { return }
      let isFirst = wasPaused.withLock { wasPaused in
        defer { wasPaused = true }
        return !wasPaused
      }
      guard isFirst else { return }
      call?.suspend()
      Task {
        try await Task.sleep(for: Self.pause)
        call?.resume()
      }
    }
  }
}
