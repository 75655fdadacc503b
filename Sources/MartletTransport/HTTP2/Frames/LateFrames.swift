/// What a peer may still send on streams that are over (RFC 9113 §5.1), without any I/O.
///
/// A peer that has not read the reset of a stream yet goes on sending its response. Such frames are skipped, as far as the window
/// of the stream had allowed them. A peer that sends more breaks the rules.
struct LateFrames {
  private var bytes = 0
  private var sections = 0

  /// Allows the rest of a response whose stream has been given up: as many bytes as its window allows, and at least the default
  /// window, because the stream may have been given up for sending too many; and as many interim responses as a stream may have.
  ///
  /// - Parameters:
  ///   - window: What the window of the stream allows, in bytes.
  ///   - headLimit: The maximum size of a head in bytes.
  mutating func allow(window: Int, headLimit: Int) {
    bytes += max(window, ReceiveWindow.initial)
    sections += max(headLimit / Self.smallestHead, 1_000)
  }

  mutating func skip(bytes count: Int) throws(HTTP2Fault) {
    bytes -= count
    guard bytes >= 0 else { throw Self.fault }
  }

  mutating func skipSection() throws(HTTP2Fault) {
    sections -= 1
    guard sections >= 0 else { throw Self.fault }
  }

  /// The size of a head that has only a status.
  private static let smallestHead = 14

  private static let fault = HTTP2Fault(
    .streamClosed, "frames on a stream that is over (RFC 9113 §5.1)")
}
