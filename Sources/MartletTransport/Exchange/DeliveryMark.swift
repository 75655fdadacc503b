import NIOCore

/// Decides whether the peer's system has acknowledged what was written until now, although later bytes may follow on the same
/// connection.
///
/// The first time, it notes how many acknowledged bytes are enough. A pure value.
struct DeliveryMark {
  private var mark: UInt64?

  /// Whether it has been asked before.
  var isNoted: Bool { mark != nil }

  /// Decides from the counts of bytes.
  ///
  /// - Parameters:
  ///   - left: How many written bytes are not acknowledged.
  ///   - acknowledged: How many are, counted no earlier than `left`, so that the mark is not too low.
  /// - Returns: Whether all bytes have been acknowledged that had been written when this was called for the first time.
  mutating func isReached(left: Int, acknowledged: UInt64) -> Bool {
    let mark = mark ?? acknowledged + UInt64(max(left, 0))
    self.mark = mark
    // Bytes that are acknowledged between the two counts are in both, so that the mark may be too high.
    return left <= 0 || acknowledged >= mark
  }

  /// The same for a channel, on its event loop.
  ///
  /// Where the system does not report its send queue, only the bytes that it has not taken count.
  mutating func isReached(on channel: any Channel) -> Bool {
    let queue = channel.sendQueue
    return isReached(
      left: channel.bufferedBytes + (queue?.length ?? 0), acknowledged: queue?.acknowledged ?? 0)
  }
}
