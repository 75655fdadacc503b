import EssentialFoundation
import MartletEssentials

/// Reads a body as text while it arrives: as its byte-order mark says, else its charset, else as UTF-8.
///
/// What is not text in that encoding has a `�` for each mistake. A charset that is not known is read as UTF-8.
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

  /// The text that the bytes complete; what they begin waits for the next ones.
  mutating func read(_ bytes: some Sequence<UInt8>) -> String {
    rest += bytes
    guard let encoding = encoding ?? chosenEncoding else { return "" }
    self.encoding = encoding
    let count = encoding.isUTF8 ? rest.wholeCharacters : wholeLines(encoding)
    defer { rest.removeFirst(count) }
    return text(rest.prefix(count), encoding)
  }

  /// The text of what is left, when there are no more bytes.
  mutating func finish() -> String {
    defer { rest = [] }
    return text(rest[...], encoding ?? Self.encoding(of: rest, charset))
  }

  /// The encoding, once enough bytes have arrived to tell a byte-order mark.
  private var chosenEncoding: TextEncoding? {
    let mayBeginMark = [0xEF, 0xFE, 0xFF, 0x00].contains(rest.first)
    return mayBeginMark && rest.count < 4 ? nil : Self.encoding(of: rest, charset)
  }

  private static func encoding(of bytes: [UInt8], _ charset: String?) -> TextEncoding {
    (try? TextEncoding(of: bytes, charset: charset)) ?? .utf8
  }

  /// How many bytes are whole lines: no encoding has characters, or states, that go over their ends.
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

  /// The text with a `�` in place of each unit that is none.
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
  /// How many bytes of UTF-8 are whole characters; a carriage return waits for the line feed behind it.
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
  /// All up to the first byte that stands within no character of several bytes: a blank, a sign or the end of a line.
  fileprivate var firstWord: Self {
    guard let end = firstIndex(where: { $0 < 0x30 }) else { return self }
    return self[...end]
  }

  /// Whether a unit of one, two or four bytes is a line feed, in either order; the few letters of Gurmukhi that
  /// pass for one are whole characters as well.
  fileprivate var isLineFeed: Bool { contains(0x0A) && allSatisfy { $0 == 0 || $0 == 0x0A } }
}
