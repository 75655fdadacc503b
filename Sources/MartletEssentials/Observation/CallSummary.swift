import EssentialFoundation
import HTTPTypes
import MartletCore

/// What the events of a call amount to, for a line of a log. Secrets are masked.
struct CallSummary: Sendable {
  let method: String
  let url: String
  private var begin = ContinuousClock.now
  private var attemptBegin = ContinuousClock.now
  private var attemptRequest: Request
  private var attemptCount = 0
  private var exchange: ExchangeMetrics?
  private var cache: CacheStatus?
  /// The status of the last response.
  private(set) var status: HTTPResponse.Status?
  /// The error of the last attempt, or of the call.
  private(set) var error: MartletError?
  /// The duration of the last attempt, or of the call.
  private(set) var duration: Duration = .zero

  init(_ request: Request) {
    method = request.method.rawValue
    url = request.urlText.masked
    attemptRequest = request
  }

  mutating func add(_ event: CallEvent) {
    switch event.kind {
    case .taskResumed where attemptCount == 0: begin = event.time
    case .attemptStarted(let request):
      (attemptRequest, attemptBegin) = (request, event.time)
      attemptCount += 1
      (status, error, exchange) = (nil, nil, nil)
    case .responseReceived(let head): status = head.status
    case .cacheUsed(let status, let answer):
      cache = status
      if let answer { self.status = answer.status }
    case .attemptFinished(let metrics):
      exchange = metrics
      duration = event.time - attemptBegin
    case .attemptFailed(let failure):
      error = failure
      duration = event.time - attemptBegin
    case .taskCompleted(let failure):
      error = failure
      duration = event.time - begin
    default: break
    }
  }

  /// The line about the call, such as
  /// `GET https://api.example.com/terns: 200 after 14 ms, 2 attempts, 1204 bytes received over an open connection of h2`.
  var text: String {
    let attempts = attemptCount > 1 ? "\(attemptCount) attempts" : nil
    return line(method, url, [attempts, cache?.isHit == true ? "from the cache" : nil])
  }

  /// The line about the last attempt.
  var attemptText: String {
    line(
      "attempt \(attemptCount): \(attemptRequest.method.rawValue)", attemptRequest.urlText.masked,
      [])
  }

  private func line(_ start: String, _ url: String, _ parts: [String?]) -> String {
    let outcome =
      error.map { "\(status.map { "\($0.code), " } ?? "")\($0.code) after \(duration.text): \($0)" }
      ?? "\(status.map { "\($0.code)" } ?? "no response") after \(duration.text)"
    let all = [outcome] + parts + [error == nil ? traffic : nil]
    return "\(start) \(url): \(all.compactMap { $0 }.joined(separator: ", "))"
  }

  /// How much was received, and over which connection.
  private var traffic: String? {
    guard let exchange else { return nil }
    let amount = "\(exchange.bytesReceived) bytes received"
    guard let connection = exchange.connection else { return amount }
    let reused = exchange.isConnectionReused ? "an open" : "a new"
    return "\(amount) over \(reused) connection of \(connection.protocolName)"
  }
}
