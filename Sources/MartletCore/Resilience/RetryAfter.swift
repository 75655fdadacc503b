package import EssentialFoundation
package import HTTPTypes

/// `Retry-After`: how long a client should wait before its next request (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// Returns the time to wait.
  ///
  /// A date is compared with the server's own `Date`, so that a wrong clock of the client does no harm.
  ///
  /// - Parameters:
  ///   - headers: The header fields of the response.
  ///   - now: The time at which the response arrived, for a response without `Date`.
  /// - Returns: The time; `nil` if there is no such field, or if it is neither a number of seconds nor a date.
  package static func delay(_ headers: HTTPFields, at now: Date) -> Duration? {
    guard let field = headers[.retryAfter]?.trimmingBlanks, !field.isEmpty else { return nil }
    if field.utf8.allSatisfy(\.isDigit) { return seconds(field) }
    guard let end = HTTPDate.seconds(of: field) else { return nil }
    let start = headers[.date].flatMap(HTTPDate.seconds) ?? Int64(now.timeIntervalSince1970)
    return .seconds(max(end - start, 0))
  }

  /// Larger numbers count as the largest one, which is 30 billion years.
  private static func seconds(_ digits: String) -> Duration {
    .seconds(digits.utf8.count <= 18 ? Int64(digits) ?? 0 : 1_000_000_000_000_000_000)
  }
}
