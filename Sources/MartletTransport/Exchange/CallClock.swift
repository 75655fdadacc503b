import Foundation
import MartletCore
import NIOCore

/// When the parts of one exchange happened.
struct CallClock {
  private let date = Date()
  /// The time of the call.
  let begin = NIODeadline.now()
  private var connected: NIODeadline?
  /// When the request had been sent whole.
  private(set) var sentAt: NIODeadline?
  private var firstByte: NIODeadline?

  /// Whether any byte of the response has come.
  var hasFirstByte: Bool { firstByte != nil }

  mutating func markConnected(_ now: NIODeadline) {
    connected = now
    sentAt = nil
    firstByte = nil
  }

  mutating func markSent(_ now: NIODeadline) { sentAt = now }

  /// What came was an interim response: the answer is still to come.
  mutating func forgetFirstByte() { firstByte = nil }

  mutating func markFirstByte(_ now: NIODeadline) { firstByte = now }

  /// The metrics as of `now`, which is the end when the exchange is over.
  func metrics(
    now: NIODeadline, connection: ConnectionInfo?, isReused: Bool, bytesSent: Int64,
    bytesReceived: Int64
  ) -> Metrics {
    let connected = connected ?? now
    let first = firstByte ?? now
    let sent = min(sentAt ?? first, first)
    return Metrics(
      start: date, connectionWait: span(begin, connected), request: span(connected, sent),
      firstByte: span(sent, first), transfer: span(first, now), total: span(begin, now),
      isConnectionReused: isReused, bytesSent: bytesSent, bytesReceived: bytesReceived,
      connection: connection)
  }

  private func span(_ from: NIODeadline, _ to: NIODeadline) -> Duration {
    .nanoseconds((to - from).nanoseconds)
  }
}
