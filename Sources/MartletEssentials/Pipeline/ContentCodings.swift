import HTTPTypes
import MartletCore
import NIOCore

/// The codings of a body, in the order in which they were applied (RFC 9110 §8.4).
struct ContentCodings {
  private let codings: [InflateDecoder.Coding]

  /// The codings of a response; `nil` if there are none, if zlib cannot decode all of them, or if the body is only a
  /// part (RFC 9110 §15.3.7).
  init?(_ head: ResponseHead) {
    // Most responses have none, and looking for a field is cheaper than reading its value.
    guard head.headers.contains(.contentEncoding), !head.isPartial,
      let field = head.headers[.contentEncoding]
    else { return nil }
    var codings: [InflateDecoder.Coding] = []
    for name in field.lowercased().fieldElements() {
      switch name {
      case "gzip", "x-gzip": codings.append(.gzip)
      case "deflate": codings.append(.deflate)
      case "identity": continue
      default: return nil
      }
    }
    guard !codings.isEmpty else { return nil }
    self.codings = codings
  }

  /// Makes the factory of decoders for the codings.
  ///
  /// - Parameters:
  ///   - limits: The limits on the number of codings and on the ratio.
  ///   - size: The largest number of bytes after decompression.
  ///   - buffer: The largest number of bytes that the delivery allows in memory. The default is no limit.
  /// - Returns: A factory that throws an error with code `.decompressionLimitExceeded` when there are too many codings.
  func decoding(_ limits: DecompressionInterceptor.Limits, size: Int, buffer: Int = .max)
    -> ContentDecoderFactory
  {
    ContentDecoderFactory { [codings] in
      guard codings.count <= limits.codings else {
        throw MartletError.decompressionLimitExceeded(
          codings.map(\.rawValue).joined(separator: ", "),
          "it is compressed \(codings.count) times over")
      }
      // The coding that was applied first is decoded last, and its output is the body.
      let inner = InflateDecoder(codings[0], limits, size: size, buffer: buffer)
      return codings.dropFirst().reduce(inner as any ContentDecoder) { inner, coding in
        StackedDecoder(
          outer: InflateDecoder(coding, limits, size: size), inner: inner, coding: coding,
          limits: limits)
      }
    }
  }
}

/// Decodes one coding, then those that were applied before it.
struct StackedDecoder: ContentDecoder {
  /// Decodes the coding that was applied last.
  private var outer: any ContentDecoder
  private var inner: any ContentDecoder
  private let coding: InflateDecoder.Coding
  private let limits: DecompressionInterceptor.Limits
  private var between = ByteBuffer()
  private var consumed = 0
  private var produced = 0

  /// - Parameters:
  ///   - outer: Decodes the coding that was applied last.
  ///   - inner: Decodes the codings that were applied before that.
  ///   - coding: The coding that `outer` decodes.
  ///   - limits: The limits on the body, after all codings are decoded.
  init(
    outer: any ContentDecoder, inner: any ContentDecoder, coding: InflateDecoder.Coding,
    limits: DecompressionInterceptor.Limits
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
          throw InflateDecoder.ratioExceeded(coding, ratio: limits.ratio)
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
