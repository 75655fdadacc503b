import NIOCore

/// How many bytes of bodies the system may hold that it has not sent (`TCP_NOTSENT_LOWAT`): as many as leave in 50 ms.
///
/// Without a limit, the system accepts megabytes of a body. If the peer reads slowly, it may take a minute to send these bytes.
/// Meanwhile the reported progress is wrong, and a PING or the end of a suspended upload has to wait. If the limit is too low
/// for a fast network, the network waits for the next chunk.
///
/// A pure value: it decides the limit, and the connection sets it.
struct UnsentLimit {
  static let lowest = 64 << 10
  /// Enough for any network: more than a chunk at once is not there to be sent.
  static let highest = BodyChunks.size
  static let interval = TimeAmount.milliseconds(50)

  /// The limit; `nil` before the first body that needs one.
  private var limit: Int?
  private var began = NIODeadline.uptimeNanoseconds(0)
  private var count = 0

  /// Prepares for a body.
  ///
  /// - Returns: The new limit, if it changes.
  mutating func begin() -> Int? {
    guard limit == nil else { return nil }
    limit = Self.lowest
    return limit
  }

  /// Updates the limit after the socket has taken bytes.
  ///
  /// - Returns: The new limit, if it changes.
  mutating func wrote(_ bytes: Int, _ now: NIODeadline) -> Int? {
    guard let limit else { return nil }
    count += bytes
    let elapsed = now - began
    if elapsed <= Self.interval { return count >= 2 * limit ? change(to: count) : nil }
    let steady = count * Int(Self.interval.nanoseconds) / Int(elapsed.nanoseconds)
    (began, count) = (now, 0)
    return 2 * steady <= limit ? change(to: steady) : nil
  }

  private mutating func change(to bytes: Int) -> Int? {
    let next = min(max(bytes, Self.lowest), Self.highest)
    guard next != limit else { return nil }
    limit = next
    return next
  }
}
