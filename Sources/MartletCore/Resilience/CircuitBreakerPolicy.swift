import HTTPTypes

/// When requests to a server that fails are refused at once, without being sent.
///
/// The circuit of a server is closed as long as its requests succeed. It opens when too large a share of them fails:
/// requests are then refused, so that the server can recover, and callers fail fast. After a while, single
/// requests probe the server: when they succeed, the circuit closes.
///
///     $0.resilience.circuitBreaker = CircuitBreakerPolicy()
public struct CircuitBreakerPolicy: Hashable, Sendable {
  /// The share of failed requests at which the circuit opens. The default is 0.95, so that it opens only for a server that
  /// is down: one that still answers some requests serves its clients better if they are sent.
  public var failureRatio = 0.95
  /// The fewest requests in a window from which the circuit may open. The default is 20.
  public var minimumRequests = 20
  /// The time in which requests and failures are counted. The default is 10 s.
  public var window = Duration.seconds(10)
  /// How long requests are refused before the first probe. The default is 1 s. It doubles each time that a probe fails.
  public var openDuration = Duration.seconds(1)
  /// The longest time that requests are refused before a probe. The default is 5 s.
  public var maximumOpenDuration = Duration.seconds(5)
  /// The number of probes that must succeed, one after the other, before the circuit closes. The default is 2.
  public var probes = 2
  /// The statuses that count as failures. The default is 500, 502, 503 and 504.
  public var statuses: Set<Int> = [500, 502, 503, 504]

  /// A policy with the documented defaults.
  public init() {}

  /// Whether an outcome counts as a failure of the server; `nil` if it shows nothing about the server.
  package func isFailure(_ outcome: FailedAttempt.Reason) -> Bool? {
    switch outcome {
    case .status(let status): statuses.contains(status.code)
    case .error(let error): Self.failures.contains(error.code) ? true : nil
    }
  }

  private static let failures: Set<MartletError.Code> = [
    .unknownHost, .connectionFailed, .connectionLost, .timedOut, .tlsFailed, .streamReset,
    .bodyTruncated, .malformedResponse,
  ]
}
