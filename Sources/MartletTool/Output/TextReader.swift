import EssentialFoundation
import MartletEssentials

/// Reads a body as text while it arrives. The encoding is that of its byte-order mark, else its charset, else UTF-8.
///
/// Each invalid sequence of bytes becomes a `�`. A body with an unknown charset is read as UTF-8.
struct TextReader {
  private let charset: String?
  private var encoding: TextEncoding?
  private var rest: [UInt8] = []

  /// A line of more bytes than this is read in pieces.
  private static let longestLine = 1 << 20

  /// - Parameter charset: The charset that the body's media type names, if it names one.
  init(charset: String?) {
    self.charset = charset
  }

  /// The text that these bytes complete. An incomplete character or line is kept for the next call.
  mutating func read(_ bytes: some Sequence<UInt8>) -> String {
    rest += bytes
    guard let encoding = encoding ?? chosenEncoding else { return "" }
    self.encoding = encoding
    let count = encoding.isUTF8 ? rest.wholeCharacters : wholeLines(encoding)
    defer { rest.removeFirst(count) }
    return text(rest.prefix(count), encoding)
  }

  /// The text of the remaining bytes, at the end of the body.
  mutating func finish() -> String {
    defer { rest = [] }
    return text(rest[...], encoding ?? Self.encoding(of: rest, charset))
  }

  /// The encoding; `nil` until enough bytes have arrived to recognize a byte-order mark.
  private var chosenEncoding: TextEncoding? {
    let mayBeginMark = [0xEF, 0xFE, 0xFF, 0x00].contains(rest.first)
    return mayBeginMark && rest.count < 4 ? nil : Self.encoding(of: rest, charset)
  }

  private static func encoding(of bytes: [UInt8], _ charset: String?) -> TextEncoding {
    (try? TextEncoding(of: bytes, charset: charset)) ?? .utf8
  }

  /// How many bytes are whole lines. No encoding has characters or shift states that extend over a line's end.
  private func wholeLines(_ encoding: TextEncoding) -> Int {
    let unit = encoding.unitSize
    var end = rest.count / unit * unit
    while end > 0, !rest[end - unit..<end].isLineFeed { end -= unit }
    guard end == 0, rest.count > Self.longestLine else { return end }
    // No character has more than four bytes.
    let whole = rest.count / 4 * 4
    return (0..<4).lazy.map { whole - $0 }.first { isText(rest.prefix($0), encoding) } ?? whole
  }

  private func isText(_ bytes: ArraySlice<UInt8>, _ encoding: TextEncoding) -> Bool {
    (try? encoding.text(of: Data(bytes))) != nil
  }

  private func text(_ bytes: ArraySlice<UInt8>, _ encoding: TextEncoding) -> String {
    if let text = try? encoding.text(of: Data(bytes)) { return text }
    return encoding.isUTF8
      ? String(decoding: bytes, as: UTF8.self) : encoding.textWithMarks(of: bytes)
  }
}

extension TextEncoding {
  fileprivate var isUTF8: Bool { encoding == .utf8 || encoding == .ascii }

  /// The text with a `�` in place of each invalid unit.
  fileprivate func textWithMarks(of bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var rest = bytes
    while !rest.isEmpty {
      let word = unitSize == 1 ? rest.firstWord : rest
      rest = rest.dropFirst(word.count)
      text += (try? self.text(of: Data(word))) ?? charactersWithMarks(of: word)
    }
    return text
  }

  private func charactersWithMarks(of bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var rest = bytes
    while !rest.isEmpty {
      let (character, count) = character(at: rest)
      text += character
      rest = rest.dropFirst(count)
    }
    return text
  }

  /// The first character, of one to four bytes, and how many bytes it takes.
  private func character(at bytes: ArraySlice<UInt8>) -> (String, Int) {
    for count in stride(from: unitSize, through: min(4, bytes.count), by: unitSize) {
      if let text = try? text(of: Data(bytes.prefix(count))) { return (text, count) }
    }
    return ("\u{FFFD}", unitSize)
  }
}

extension [UInt8] {
  /// How many bytes of UTF-8 are whole characters. A final carriage return is kept until the next byte arrives.
  fileprivate var wholeCharacters: Int {
    if last == UInt8(ascii: "\r") { return count - 1 }
    for (back, byte) in suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      return length > back + 1 ? count - back - 1 : count
    }
    return count
  }
}

extension ArraySlice<UInt8> {
  /// The bytes up to the first that cannot be part of a multi-byte character: a blank, a sign or a line's end. In
  /// ISO-2022-JP, such bytes can be part of a character, which is then cut.
  fileprivate var firstWord: Self {
    guard let end = firstIndex(where: { $0 < 0x30 }) else { return self }
    return self[...end]
  }

  /// Whether a unit of one, two or four bytes is a line feed, in either byte order.
  ///
  /// The Gurmukhi letter U+0A0A matches, too. It is a whole character, so it is safe to split the text after it.
  fileprivate var isLineFeed: Bool { contains(0x0A) && allSatisfy { $0 == 0 || $0 == 0x0A } }
}
