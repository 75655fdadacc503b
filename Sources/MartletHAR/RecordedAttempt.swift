import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// What is known about one attempt, from which its entry is made.
struct RecordedAttempt: Sendable {
  private var request: Request
  private let date = Date()
  private let begin: ContinuousClock.Instant
  private var connection: ConnectionInfo?
  private var metrics: ExchangeMetrics?
  private var failure: (error: MartletError, after: Duration)?
  var head: ResponseHead?
  var sent: Int64 = 0
  var received: Int64 = 0
  /// What the session's cache has done, if the response comes from it.
  var cacheComment: String?

  init(_ request: Request, at time: ContinuousClock.Instant) {
    self.request = request
    begin = time
  }

  /// Notes the request as it is sent. The engine sends it again if a connection was stale.
  mutating func begin(sending request: Request, over connection: ConnectionInfo?) {
    self.request = request
    self.connection = connection
    (sent, received, head) = (0, 0, nil)
  }

  /// Notes the end.
  mutating func finish(_ metrics: ExchangeMetrics) {
    self.metrics = metrics
    received = metrics.bodyBytesReceived
    connection = metrics.connection ?? connection
  }

  /// Notes the error that has ended the attempt.
  mutating func fail(_ error: MartletError, at time: ContinuousClock.Instant) {
    failure = (error, time - begin)
  }

  /// Returns the entry.
  func entry(_ options: ArchiveOptions) -> HTTPArchive.Entry {
    let duration = metrics?.totalDuration ?? failure?.after ?? .zero
    return HTTPArchive.Entry(
      startedDateTime: date.formatted(Self.format), time: duration.milliseconds,
      request: HTTPArchive.Request(request, version, sent: sent, options),
      response: HTTPArchive.Response(head, version, received: received, options),
      cache: HTTPArchive.Cache(comment: cacheComment),
      timings: metrics.map { HTTPArchive.Timings($0) } ?? HTTPArchive.Timings(waiting: duration),
      serverIPAddress: connection?.peer?.host,
      connection: connection.map { "\($0.id)" }, comment: failure.map { $0.error.message })
  }

  /// The date of an entry, such as `2026-11-25T21:39:23.123Z`.
  static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private var version: String {
    guard let connection else { return "" }
    return connection.isMultiplexed ? "HTTP/2" : "HTTP/1.1"
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
}

extension HTTPArchive.Timings {
  /// The timings of a complete exchange.
  fileprivate init(_ metrics: ExchangeMetrics) {
    let new = metrics.isConnectionReused ? nil : metrics.connection
    let tls = new?.tlsDuration
    let connecting = new.map { $0.connectDuration + (tls ?? .zero) }
    let making = (connecting ?? .zero) + (new?.resolveDuration ?? .zero)
    blocked = max(metrics.connectionWait - making, .zero).milliseconds
    dns = new?.resolveDuration?.milliseconds ?? -1
    connect = connecting?.milliseconds ?? -1
    send = metrics.requestDuration.milliseconds
    wait = metrics.timeToFirstByte.milliseconds
    receive = metrics.transferDuration.milliseconds
    ssl = tls?.milliseconds ?? -1
  }

  /// The timings of an exchange of which only the duration is known.
  fileprivate init(waiting duration: Duration) {
    (blocked, dns, connect, ssl) = (-1, -1, -1, -1)
    (send, wait, receive) = (0, duration.milliseconds, 0)
  }
}
