import MartletCore
import NIOCore

/// Undoes one coding, and what was under it.
struct StackedDecoder: ContentDecoder {
  /// Undoes what was applied last.
  private var outer: any ContentDecoder
  private var inner: any ContentDecoder
  private let coding: InflateDecoder.Coding
  private let ratio: Int
  private var between = ByteBuffer()
  private var consumed = 0
  private var produced = 0

  /// - Parameters:
  ///   - outer: Undoes what was applied last.
  ///   - inner: Undoes what was applied before that.
  ///   - coding: What `outer` undoes.
  ///   - ratio: How many times larger than its compressed form the body may be, after both.
  init(
    outer: any ContentDecoder, inner: any ContentDecoder, coding: InflateDecoder.Coding, ratio: Int
  ) {
    self.outer = outer
    self.inner = inner
    self.coding = coding
    self.ratio = ratio
  }

  mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer? {
    let received = consumed + input.readableBytes
    defer { consumed = received - input.readableBytes }
    while true {
      if let piece = try inner.decode(&between, upTo: limit) {
        produced += piece.readableBytes
        guard !InflateDecoder.isSuspicious(produced, from: received, ratio: ratio) else {
          throw InflateDecoder.swollen(coding, ratio: ratio)
        }
        return piece
      }
      guard let more = try outer.decode(&input, upTo: limit) else { return nil }
      if between.readableBytes == 0 { between = more } else { between.writeImmutableBuffer(more) }
    }
  }

  mutating func finish() throws {
    try outer.finish()
    try inner.finish()
  }
}
