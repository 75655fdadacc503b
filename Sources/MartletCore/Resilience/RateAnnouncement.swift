package import EssentialFoundation
import HTTPTypes

/// What a response says about how many requests the server accepts.
package struct RateAnnouncement: Equatable, Sendable {
  /// The longest time that counts. After it, a request shows whether the server still means what it has announced.
  private static let longest = Duration.seconds(300)

  /// No request is accepted for this time.
  package var pause: Duration?
  /// The number of requests that are accepted until the reset.
  package var remaining: Int?
  /// The time until more requests are accepted.
  package var reset: Duration?

  /// - Parameters:
  ///   - head: The head of the response. Its fields are `RateLimit` (draft-ietf-httpapi-ratelimit-headers), the older
  ///     `RateLimit-Remaining` and `RateLimit-Reset`, and, in a response 429 or 503, `Retry-After`.
  ///   - now: The time at which it arrived.
  package init(_ head: ResponseHead, at now: Date) {
    if head.status.code == 429 || head.status.code == 503 {
      pause = RetryAfter.delay(head.headers, at: now).map { min($0, Self.longest) }
    }
    let quotas = Self.quotas(head.headers)
    guard let scarcest = quotas.min(by: { $0.remaining < $1.remaining }) else { return }
    remaining = scarcest.remaining
    reset = min(.seconds(scarcest.reset), Self.longest)
  }

  /// The quotas that the fields announce. The field `RateLimit` may have several.
  private static func quotas(_ headers: HTTPFields) -> [(remaining: Int, reset: Int)] {
    let members = headers[rateLimit]?.fieldElements().map { FieldParameters($0) } ?? []
    let texts = members.map { ($0["r"], $0["t"]) } + [(headers[remainingName], headers[resetName])]
    return texts.compactMap { remaining, reset in
      guard let remaining = number(remaining), let reset = number(reset) else { return nil }
      return (remaining, reset)
    }
  }

  /// Longer numbers are ignored: a Unix time has ten digits.
  private static func number(_ text: String?) -> Int? {
    guard let text = text?.trimmingBlanks, (1...9).contains(text.utf8.count),
      text.utf8.allSatisfy(\.isDigit)
    else { return nil }
    return Int(text)
  }

  private static let rateLimit = name("RateLimit")
  private static let remainingName = name("RateLimit-Remaining")
  private static let resetName = name("RateLimit-Reset")

  private static func name(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .retryAfter
  }
}
