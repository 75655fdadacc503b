import HTTPTypes
import MartletCore

extension InflateDecoder {
  /// The content codings that zlib undoes.
  enum Coding: String {
    case gzip
    case deflate

    /// The coding of a response, if it has one of these and a whole body (RFC 9110 §8.4.1, §15.3.7).
    init?(_ head: ResponseHead) {
      guard head.status.code != 206 else { return nil }
      guard let field = head.headers[.contentEncoding] else { return nil }
      switch field.lowercased() {
      case "gzip", "x-gzip": self = .gzip
      case "deflate": self = .deflate
      default: return nil
      }
    }

    func decoding(size: Int, ratio: Int, buffer: Int = .max) -> ContentDecoding {
      ContentDecoding { InflateDecoder(self, size: size, ratio: ratio, buffer: buffer) }
    }
  }
}
