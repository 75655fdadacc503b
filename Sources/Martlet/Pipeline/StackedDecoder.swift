import MartletCore
import NIOCore

/// Undoes one coding, and what was under it.
struct StackedDecoder: ContentDecoder {
  /// Undoes what was applied last.
  private var outer: any ContentDecoder
  private var inner: any ContentDecoder
  private let coding: InflateDecoder.Coding
  private let limits: DecompressionStep.Limits
  private var between = ByteBuffer()
  private var consumed = 0
  private var produced = 0

  /// - Parameters:
  ///   - outer: Undoes what was applied last.
  ///   - inner: Undoes what was applied before that.
  ///   - coding: What `outer` undoes.
  ///   - limits: How much the body may swell, after both.
  init(
    outer: any ContentDecoder, inner: any ContentDecoder, coding: InflateDecoder.Coding,
    limits: DecompressionStep.Limits
  ) {
    self.outer = outer
    self.inner = inner
    self.coding = coding
    self.limits = limits
  }

  mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer? {
    let received = consumed + input.readableBytes
    defer { consumed = received - input.readableBytes }
    while true {
      if let piece = try inner.decode(&between, upTo: limit) {
        produced += piece.readableBytes
        guard !limits.areExceeded(by: produced, from: received) else {
          throw InflateDecoder.swollen(coding, ratio: limits.ratio)
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
