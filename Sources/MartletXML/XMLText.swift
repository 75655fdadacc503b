import Foundation
import MartletEssentials

/// A document converted to UTF-8 from its own encoding.
///
/// The parser receives only UTF-8, without a declaration of another encoding. Therefore it reads exactly the text that
/// ``ValidatedXML`` has checked.
struct XMLText {
  let utf8: [UInt8]

  init(_ data: Data, charset: String?) throws(MartletError) {
    do throws(TextEncoding.Failure) {
      utf8 = Self.withoutDeclaration(
        Array(try Self.encoding(of: data, charset).text(of: data).utf8))
    } catch {
      throw .notXML(error.reason, underlying: error)
    }
    // XML 1.0 §2.2. A parser could mistake text with NULs for UTF-16 or UTF-32.
    guard !utf8.contains(0) else { throw .notXML("it holds a character that XML does not allow") }
  }

  /// The encoding, in the order of RFC 7303 §3: byte-order mark, charset, declaration. The bytes of `<?` in UTF-16 are
  /// recognized first, because such a declaration cannot be read as ASCII.
  private static func encoding(of data: Data, _ charset: String?) throws(TextEncoding.Failure)
    -> TextEncoding
  {
    if data.starts(with: [0x00, 0x3C, 0x00, 0x3F]) { return TextEncoding(.utf16BigEndian) }
    if data.starts(with: [0x3C, 0x00, 0x3F, 0x00]) { return TextEncoding(.utf16LittleEndian) }
    return try TextEncoding(of: data, charset: charset ?? declaredEncoding(of: data))
  }

  /// The encoding in `<?xml version="1.0" encoding="…"?>`; `nil` if the declaration names none, or does not end within
  /// the first 1024 bytes.
  ///
  /// UTF-16 and UTF-32 are ignored: a declaration that can be read as ASCII is not in these encodings.
  private static func declaredEncoding(of data: Data) -> String? {
    guard let declaration = declaration(of: Array(data.prefix(1024))),
      let match = String(decoding: declaration, as: UTF8.self)
        .firstMatch(of: /\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/)
    else { return nil }
    let name = match.1.lowercased()
    return name.hasPrefix("utf-16") || name.hasPrefix("utf-32") ? nil : name
  }

  /// The bytes from `<?xml` to `?>`; `nil` if the document does not begin with a complete declaration.
  private static func declaration(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let start = "<?xml".utf8
    guard bytes.starts(with: start), bytes.dropFirst(start.count).first?.isXMLWhitespace == true
    else { return nil }
    let declaration = bytes[..<bytes[start.count...].end(of: "?>")]
    return declaration.suffix(2).elementsEqual("?>".utf8) ? declaration : nil
  }

  /// The document with blanks in place of its declaration, so that line numbers do not change.
  private static func withoutDeclaration(_ document: [UInt8]) -> [UInt8] {
    guard let declaration = declaration(of: document) else { return document }
    let blank = declaration.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    return blank + document[declaration.endIndex...]
  }
}

extension UInt8 {
  /// Whether the byte is white space (XML 1.0 §2.3).
  var isXMLWhitespace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\n")
      || self == UInt8(ascii: "\r")
  }
}
