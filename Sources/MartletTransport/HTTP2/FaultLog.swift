import NIOHTTP2

/// Remembers the last fault for which the framing handler ended a stream or the connection.
///
/// The error that it raises next does not say which it was.
final class FaultLog {
  enum Fault: Equatable {
    case stream(Int32, HTTP2ErrorCode)
    case connection(HTTP2ErrorCode)
  }

  private var last: Fault?

  func note(_ fault: Fault) {
    last = fault
  }

  /// No error is to come for what was noted last.
  func forget() {
    last = nil
  }

  /// The fault behind an error that has just been raised.
  func take() -> Fault? {
    defer { last = nil }
    return last
  }
}
