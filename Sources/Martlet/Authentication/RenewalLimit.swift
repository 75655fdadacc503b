import MartletCore

/// How often a token may be renewed: so often within a minute.
struct RenewalLimit: Sendable {
  private static let window = Duration.seconds(60)

  private let count: Int
  private var times: [ContinuousClock.Instant] = []

  init(count: Int) {
    self.count = max(count, 1)
  }

  /// Whether it may be renewed at `now`.
  func admits(_ now: ContinuousClock.Instant) -> Bool { recent(now).count < count }

  /// Notes that it is renewed at `now`.
  ///
  /// - Throws: `MartletError` with code `.authenticationFailed` when that is too often.
  mutating func take(_ now: ContinuousClock.Instant) throws(MartletError) {
    times = recent(now)
    guard times.count < count else {
      throw .tokenRenewedTooOften(count: count)
    }
    times.append(now)
  }

  private func recent(_ now: ContinuousClock.Instant) -> [ContinuousClock.Instant] {
    times.filter { $0.duration(to: now) < Self.window }
  }
}
