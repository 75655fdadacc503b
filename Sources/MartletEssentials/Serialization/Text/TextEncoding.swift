package import EssentialFoundation
import MartletCore

/// How the bytes of a text are to be read.
package struct TextEncoding: Equatable, Sendable {
  /// The encoding.
  package let encoding: String.Encoding
  /// What to call it in a sentence.
  package let name: String

  /// An encoding.
  package init(_ encoding: String.Encoding, name: String? = nil) {
    self.encoding = encoding
    self.name = name ?? "\(encoding)"
  }

  /// The encoding of a text: that of its byte-order mark, for it is closest to the bytes; else that of
  /// the charset that was named; else UTF-8.
  ///
  /// - Throws: `.unknownCharset`.
  package init(of data: some Collection<UInt8>, charset: String?) throws(Failure) {
    if let mark = ByteOrderMark(data) {
      self = mark.encoding
    } else if let charset {
      guard let encoding = String.Encoding(charset: charset) else {
        throw .unknownCharset(charset)
      }
      self.init(encoding, name: charset)
    } else {
      self = .utf8
    }
  }

  /// Why bytes cannot be read as text.
  package enum Failure: Error {
    case unknownCharset(String)
    case invalid(_ encoding: String)

    /// The same as a clause.
    package var reason: String {
      switch self {
      case .unknownCharset(let charset): "the charset “\(charset.masked)” is not known"
      case .invalid(let encoding): "its bytes are not valid \(encoding.masked)"
      }
    }
  }

  package static let utf8 = TextEncoding(.utf8, name: "UTF-8")

  /// The text of these bytes, without a byte-order mark.
  ///
  /// - Throws: `.invalid` when they are not text in this encoding.
  package func text(of data: Data) throws(Failure) -> String {
    var bytes = data
    if let mark = ByteOrderMark(data), mark.belongs(to: encoding) { bytes.removeFirst(mark.size) }
    guard bytes.count.isMultiple(of: unitSize), let text = decode(bytes)
    else { throw .invalid(name) }
    return text
  }

  private func decode(_ bytes: Data) -> String? {
    encoding == .utf8
      ? String(validating: bytes, as: UTF8.self)
      : CharsetConversion.text(of: bytes, in: encoding)
  }

  /// How many bytes there are to a unit; Foundation drops one that is incomplete at the end.
  package var unitSize: Int {
    switch encoding {
    case .utf16, .utf16BigEndian, .utf16LittleEndian: 2
    case .utf32, .utf32BigEndian, .utf32LittleEndian: 4
    default: 1
    }
  }
}

/// The first bytes of a text that say how it is encoded (Unicode §23.8).
struct ByteOrderMark {
  let encoding: TextEncoding
  let size: Int

  /// The mark that a text begins with, if it does.
  init?(_ data: some Collection<UInt8>) {
    guard let mark = Self.all.first(where: { data.starts(with: $0.bytes) }) else { return nil }
    encoding = mark.encoding
    size = mark.bytes.count
  }

  /// Whether the mark is one in that encoding, rather than its first character.
  func belongs(to other: String.Encoding) -> Bool {
    switch encoding.encoding {
    case other: true
    case .utf16BigEndian, .utf16LittleEndian: other == .utf16
    case .utf32BigEndian, .utf32LittleEndian: other == .utf32
    default: false
    }
  }

  /// UTF-32 stands before UTF-16, whose mark is its first half.
  private static let all: [(bytes: [UInt8], encoding: TextEncoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8),
    ([0x00, 0x00, 0xFE, 0xFF], TextEncoding(.utf32BigEndian, name: "UTF-32")),
    ([0xFF, 0xFE, 0x00, 0x00], TextEncoding(.utf32LittleEndian, name: "UTF-32")),
    ([0xFE, 0xFF], TextEncoding(.utf16BigEndian, name: "UTF-16")),
    ([0xFF, 0xFE], TextEncoding(.utf16LittleEndian, name: "UTF-16")),
  ]
}
