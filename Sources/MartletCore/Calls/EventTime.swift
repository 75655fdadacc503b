/// A time of the continuous clock.
///
/// The layout of the clock's own instants is not known when this module is compiled, so that the values that contain one are slow
/// to copy.
struct EventTime: Sendable {
  private static let first = ContinuousClock.now

  private let sinceFirst: Duration

  /// The present time.
  static var now: EventTime { EventTime(sinceFirst: first.duration(to: .now)) }

  /// The time as an instant of the clock.
  var instant: ContinuousClock.Instant { Self.first + sinceFirst }
}
