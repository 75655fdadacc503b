package import EssentialFoundation
import MartletCore

/// The encoding in which the bytes of a text are read.
package struct TextEncoding: Equatable, Sendable {
  /// The encoding.
  package let encoding: String.Encoding
  /// The name of the encoding in messages.
  package let name: String

  /// An encoding.
  package init(_ encoding: String.Encoding, name: String? = nil) {
    self.encoding = encoding
    self.name = name ?? "\(encoding)"
  }

  /// The encoding of a text: that of its byte-order mark; else that of `charset`; else UTF-8.
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

  /// The reason why bytes cannot be read as text.
  package enum Failure: Error {
    case unknownCharset(String)
    case invalid(_ encoding: String)

    /// The reason as a clause.
    package var reason: String {
      switch self {
      case .unknownCharset(let charset): "the charset “\(charset.masked)” is not known"
      case .invalid(let encoding): "its bytes are not valid \(encoding.masked)"
      }
    }
  }

  package static let utf8 = TextEncoding(.utf8, name: "UTF-8")

  /// Returns the text of these bytes, without a byte-order mark.
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

  /// The number of bytes of a code unit. Foundation drops an incomplete unit at the end of a text.
  package var unitSize: Int {
    switch encoding {
    case .utf16, .utf16BigEndian, .utf16LittleEndian: 2
    case .utf32, .utf32BigEndian, .utf32LittleEndian: 4
    default: 1
    }
  }
}

/// The first bytes of a text that identify its encoding (Unicode §23.8).
struct ByteOrderMark {
  let encoding: TextEncoding
  let size: Int

  /// The byte-order mark at the beginning of a text; `nil` if there is none.
  init?(_ data: some Collection<UInt8>) {
    guard let mark = Self.all.first(where: { data.starts(with: $0.bytes) }) else { return nil }
    encoding = mark.encoding
    size = mark.bytes.count
  }

  /// Whether these bytes are a byte-order mark in that encoding, and not the first characters of the text.
  func belongs(to other: String.Encoding) -> Bool {
    switch encoding.encoding {
    case other: true
    case .utf16BigEndian, .utf16LittleEndian: other == .utf16
    case .utf32BigEndian, .utf32LittleEndian: other == .utf32
    default: false
    }
  }

  /// UTF-32 comes before UTF-16, because a mark of UTF-32 can begin with that of UTF-16.
  private static let all: [(bytes: [UInt8], encoding: TextEncoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8),
    ([0x00, 0x00, 0xFE, 0xFF], TextEncoding(.utf32BigEndian, name: "UTF-32")),
    ([0xFF, 0xFE, 0x00, 0x00], TextEncoding(.utf32LittleEndian, name: "UTF-32")),
    ([0xFE, 0xFF], TextEncoding(.utf16BigEndian, name: "UTF-16")),
    ([0xFF, 0xFE], TextEncoding(.utf16LittleEndian, name: "UTF-16")),
  ]
}
