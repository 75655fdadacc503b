/// Numbers the streams of one connection (RFC 9113 §5.1.1).
///
/// A client's are odd and only grow, so a connection lives for 2³⁰ of them at most; it retires a little
/// before, where the next number would overflow.
struct StreamNumbers {
  /// The highest number that is given out.
  static let last: Int32 = .max - 2
  private var next: Int32

  init(first: Int32 = 1) {
    next = first
  }

  /// Whether no stream can be begun any more.
  var isExhausted: Bool { next > Self.last }

  /// The number of the next stream, if there is one.
  mutating func take() -> Int32? {
    guard !isExhausted else { return nil }
    defer { next += 2 }
    return next
  }
}
