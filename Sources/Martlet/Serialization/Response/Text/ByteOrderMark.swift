import Foundation

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
