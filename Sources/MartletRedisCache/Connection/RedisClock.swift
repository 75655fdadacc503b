import NIOCore

/// The time, which tests move.
struct RedisClock: Sendable {
  var now: @Sendable () -> NIODeadline
  var sleep: @Sendable (TimeAmount) async throws -> Void

  static let system = RedisClock(now: { .now() }) { time in
    try await Task.sleep(nanoseconds: UInt64(time.nanoseconds))
  }
}
