import NIOCore

/// Decides whether the peer's system has acknowledged a request, while later bytes may follow on the same connection.
///
/// When it is first asked, it notes how many acknowledged bytes are enough. A pure value.
struct DeliveryMark {
  private var mark: UInt64?

  /// Whether all bytes have been acknowledged that had been written when this was asked for the first time.
  ///
  /// - Parameters:
  ///   - left: How many written bytes are not acknowledged.
  ///   - acknowledged: How many are, counted no earlier than `left`, so that the mark is not too low.
  mutating func isReached(left: Int, acknowledged: UInt64) -> Bool {
    guard left > 0 else { return true }
    guard let mark else {
      mark = acknowledged + UInt64(left)
      return false
    }
    return acknowledged >= mark
  }

  /// The same for a channel, on its event loop.
  ///
  /// Where the system does not report its send queue, only the bytes that it has not taken count.
  mutating func isReached(on channel: any Channel) -> Bool {
    let left = channel.undeliveredBytes
    return isReached(left: left, acknowledged: channel.sendQueue?.acknowledged ?? 0)
  }
}
