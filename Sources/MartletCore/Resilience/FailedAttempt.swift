public import HTTPTypes

/// An attempt that has failed, and after which the request was sent again.
public struct FailedAttempt: Sendable {
  /// How an attempt fails.
  public enum Reason: Sendable {
    /// The response has this status.
    case status(HTTPResponse.Status)
    /// There is no whole response.
    case error(MartletError)
  }

  /// How it has failed.
  public let reason: Reason
  /// From the beginning of the attempt to its failure.
  public let duration: Duration
  /// The pause between the failure and the next attempt.
  public let pause: Duration

  /// Whether the server has certainly not processed the request.
  package let isUnprocessed: Bool

  package init(_ reason: Reason, isUnprocessed: Bool, after duration: Duration, pause: Duration) {
    self.reason = reason
    self.isUnprocessed = isUnprocessed
    self.duration = duration
    self.pause = pause
  }
}

extension FailedAttempt: CustomStringConvertible {
  /// The attempt as text, such as `503 after 80 ms`.
  public var description: String { "\(reason) after \(duration.text)" }
}

extension FailedAttempt.Reason: CustomStringConvertible {
  /// The status code, or the code of the error.
  public var description: String {
    switch self {
    case .status(let status): "\(status.code)"
    case .error(let error): "\(error.code)"
    }
  }
}
