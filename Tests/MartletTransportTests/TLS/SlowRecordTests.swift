import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import NIOPosix
import Testing

/// Networks on which a TLS record (RFC 8446 §5.1) takes longer than a time-out: no part of it can be decrypted before it is whole.
@Suite(.timeLimit(.minutes(5)))
struct SlowRecordTests {
  /// A loop of their own, which other tests do not keep busy.
  private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private static let size = 16_000
  /// A record of that size takes 2.5 s.
  private static let slow = SlowRelay.Pace(piece: 640, interval: .milliseconds(100))
  /// Some bytes of the record pass, and no more.
  private static let stalled = SlowRelay.Pace(
    piece: 640, interval: .milliseconds(100), limit: 12_000)

  @Test(arguments: [HTTPTransportConfiguration.Versions.http1, .http2])
  func `a record that arrives slowly is no silence`(versions: HTTPTransportConfiguration.Versions)
    async throws
  {
    try await expect(.bytes(Self.size), versions, Self.slow) {
      $0.timeouts.idle = .seconds(1)
    }
  }

  @Test func `nor does a PING behind it end the connection (RFC 9113 §6·7)`() async throws {
    try await expect(.bytes(Self.size), .http2, Self.slow) {
      $0.http2.pingInterval = .milliseconds(200)
      $0.http2.pingTimeout = .seconds(1)
    }
  }

  @Test func `nor is silence what comes after the answer to a PING`() async throws {
    let size = 3 * Self.size
    try await expect(.bytes(size), .http2, Self.slow, "bytes/\(size)") {
      $0.timeouts.idle = .seconds(1)
      $0.http2.pingInterval = .milliseconds(200)
      $0.http2.pingTimeout = .seconds(60)
    }
  }

  @Test(arguments: [HTTPTransportConfiguration.Versions.http1, .http2])
  func `one that stops is given up after the idle time-out`(
    versions: HTTPTransportConfiguration.Versions
  ) async throws {
    // The last piece of the 12 000 bytes passes after 1.8 s.
    try await expect(.error(.timedOut), versions, Self.stalled, after: .seconds(2)) {
      $0.timeouts.idle = .seconds(1)
    }
  }

  @Test func `a stream is silent although PINGs are answered`() async throws {
    let fast = SlowRelay.Pace(piece: 1 << 20, interval: .milliseconds(1))
    try await expect(.error(.timedOut), .http2, fast, "delay/10") {
      $0.timeouts.idle = .seconds(1)
      $0.http2.pingInterval = .milliseconds(100)
    }
  }

  @Test func `and so is a connection whose PING is not answered (RFC 9113 §6·7)`() async throws {
    try await expect(.error(.connectionLost), .http2, Self.stalled) {
      $0.http2.pingInterval = .milliseconds(200)
      $0.http2.pingTimeout = .seconds(1)
    }
  }

  /// How an exchange ends.
  private enum Outcome: Equatable {
    /// All bytes of the body, of which there are so many.
    case bytes(Int)
    case error(MartletError.Code)
  }

  /// An exchange has ended otherwise than it must.
  private struct Unexpected: Error {
    let outcome: Outcome
    let duration: Duration
  }

  /// Requests a body from a server behind a relay, and expects an outcome.
  ///
  /// A relay or a server that the machine wakes late is silent, so that what fails then is tried again.
  private func expect(
    _ expected: Outcome, _ versions: HTTPTransportConfiguration.Versions, _ pace: SlowRelay.Pace,
    _ path: String = "bytes/\(size)", after minimum: Duration = .zero,
    _ change: (inout HTTPTransportConfiguration) -> Void
  ) async throws {
    try await unlessLate(by: .milliseconds(300), on: [Self.loops, SlowRelay.loops]) {
      let start = ContinuousClock.now
      let outcome = try await outcome(versions, pace, path, change)
      let duration = start.duration(to: .now)
      guard outcome == expected, duration >= minimum else {
        throw Unexpected(outcome: outcome, duration: duration)
      }
    }
  }

  private func outcome(
    _ versions: HTTPTransportConfiguration.Versions, _ pace: SlowRelay.Pace, _ path: String,
    _ change: (inout HTTPTransportConfiguration) -> Void
  ) async throws -> Outcome {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.protocols = versions == .http2 ? ["h2"] : ["http/1.1"]
    let server = try await LoopbackServer.start(tls: tls)
    let relay = try await SlowRelay.start(to: server.port, pace)
    var configuration = HTTPTransportConfiguration()
    configuration.eventLoopGroup = Self.loops
    configuration.versions = versions
    configuration.tls.roots = .certificates([authority.root])
    change(&configuration)
    let request = try Request(.get, "https://127.0.0.1:\(relay.port)/\(path)")
    let engine = HTTPTransport(configuration)
    let task = Task { try await engine.send(request).body.collect().readableBytes }
    let result = await task.result
    engine.shutDown()
    try await relay.stop()
    await server.stop()
    do { return .bytes(try result.get()) } catch let error as MartletError {
      return .error(error.code)
    }
  }
}
