import NIOCore

/// Limits frames that cost work and carry nothing (RFC 9113 §10.5), without any I/O.
struct FloodGuard {
  /// Counts events, and limits them in each interval of 30 seconds.
  private struct Rate {
    let maximum: Int
    private var count = 0
    private var start: NIODeadline?

    init(maximum: Int) {
      self.maximum = maximum
    }

    mutating func isExceeded(at now: NIODeadline) -> Bool {
      if start.map({ now >= $0 + .seconds(30) }) ?? true {
        start = now
        count = 0
      }
      count += 1
      return count > maximum
    }
  }

  /// Frames that change the connection, or that have no meaning for a client.
  private var control = Rate(maximum: 1_000)
  /// Some servers measure the connection by a PING for each round trip of a body. While the socket is full, the answers would need
  /// memory without a limit.
  private var pings = Rate(maximum: 100_000)
  /// A server resets the stream of every upload that it answers early (§8.1), perhaps thousands a second. Each reset costs it a
  /// response. Only resets that exchanges cannot explain are a flood.
  private var resets = Rate(maximum: 100_000)
  /// Empty DATA frames, one after the other.
  private var emptyData = 0

  /// Records a frame.
  ///
  /// - Throws: The fault of a peer that sends too many of its kind.
  mutating func check(
    _ frame: HTTP2Frame, at now: NIODeadline, isSocketFull: @autoclosure () -> Bool
  ) throws(HTTP2Fault) {
    let isFlood =
      switch frame {
      case .data(_, let bytes, _, let isEnd):
        isFloodOfData(isEmpty: bytes.readableBytes == 0 && !isEnd)
      case .headers, .windowUpdate: false
      case .reset: resets.isExceeded(at: now)
      case .ping:
        isSocketFull() ? control.isExceeded(at: now) : pings.isExceeded(at: now)
      case .settings, .settingsAcknowledged, .pingAcknowledged, .goAway, .ignored:
        control.isExceeded(at: now)
      }
    if isFlood { throw HTTP2Fault(.enhanceYourCalm, "too many frames that carry nothing") }
  }

  private mutating func isFloodOfData(isEmpty: Bool) -> Bool {
    emptyData = isEmpty ? emptyData + 1 : 0
    return emptyData > 1_000
  }
}
