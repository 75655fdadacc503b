import Foundation
import Martlet
import Testing

@testable import MartletTool

/// Bodies as text, while they arrive.
struct TextReaderTests {
  private func read(_ chunks: [[UInt8]], charset: String? = nil) -> String {
    var reader = TextReader(charset: charset)
    return chunks.map { reader.read($0) }.joined() + reader.finish()
  }

  @Test(
    arguments: [
      ("utf-8", "Grüße, 日本\r\n\u{1F426} am Ende"), (nil, "Grüße\r\n日本"),
      ("iso-8859-1", "Grüße\r\nzweite Zeile"), ("windows-1252", "„Grüße“ – 5 €\n"),
      ("utf-16", "Grüße, 日本\r\n\u{1F426} am Ende"), ("utf-16be", "Grüße\n\u{A0A}\u{0A0D}\r\nEnde"),
      ("utf-32", "Grüße\n\u{1F426}\n"), ("shift_jis", "日本\r\n表\\ソ\n予定"),
      ("gb18030", "中文\n\u{1F426}\n"), ("euc-kr", "한국어\n끝"), ("big5", "繁體\n功能"),
      ("iso-2022-jp", "日本\n語\nend"), ("koi8-r", "Привет\nмир"),
    ] as [(String?, String)])
  func `a text comes out the same wherever the network cuts it`(charset: String?, text: String)
    throws
  {
    let encoding = try #require(String.Encoding(charset: charset ?? "utf-8"))
    let bytes = Array(try #require(text.data(using: encoding)))
    #expect(read([bytes], charset: charset) == text)
    #expect(read(bytes.map { [$0] }, charset: charset) == text)
    for cut in bytes.indices {
      #expect(
        read([Array(bytes[..<cut]), Array(bytes[cut...])], charset: charset) == text,
        "cut before byte \(cut)")
    }
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x61, 0xC3, 0xBC], "aü"), ([0xFE, 0xFF, 0x00, 0x61], "a"),
      ([0xFF, 0xFE, 0x61, 0x00, 0xFC, 0x00], "aü"), ([0xFF, 0xFE, 0x00, 0x00, 0x61, 0, 0, 0], "a"),
      ([0xEF, 0xBB], "\u{FFFD}"), ([0xFF], "\u{FFFD}"),
    ] as [([UInt8], String)])
  func `a byte-order mark says how a text is encoded, whatever the charset`(
    bytes: [UInt8], text: String
  ) {
    #expect(read([bytes]) == text)
    #expect(read(bytes.map { [$0] }) == text)
    #expect(read([bytes], charset: "koi8-r") == text || bytes.count < 3)
  }

  @Test func `UTF-8 is shown as it arrives, character by character`() {
    var reader = TextReader(charset: nil)
    #expect(reader.read([0x61]) == "a")
    #expect(reader.read([0xE2]) == "")
    #expect(reader.read([0x82]) == "")
    #expect(reader.read([0xAC, 0x0D]) == "€")
    #expect(reader.read([0x0A, 0x62]) == "\r\nb")
    #expect(reader.finish() == "")
  }

  @Test(arguments: [nil, "utf-8", "no-such-charset"])
  func `what is no text has marks in place of its mistakes`(charset: String?) {
    #expect(read([[0x61, 0x9B, 0x62]], charset: charset) == "a\u{FFFD}b")
    #expect(read([[0x61, 0xE2, 0x82]], charset: charset) == "a\u{FFFD}")
    #expect(read([[0xC3], [0x28]], charset: charset) == "\u{FFFD}(")
  }

  @Test(
    arguments: [
      ("windows-1252", [0x63, 0xE9, 0x20, 0x81, 0xEF, 0x20, 0xFC], "cé \u{FFFD}ï ü"),
      ("windows-1252", [0x81], "\u{FFFD}"),
      (
        "shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0xFF, 0x93, 0xFA, 0x0A, 0x93], "日本\u{FFFD}日\n\u{FFFD}"
      ),
      ("utf-16le", [0x61, 0, 0x00, 0xDC, 0x3D, 0xD8, 0x26, 0xDC, 0x62, 0], "a\u{FFFD}\u{1F426}b"),
    ] as [(String, [UInt8], String)])
  func `a byte outside the charset has a mark, and the others keep the charset`(
    charset: String, bytes: [UInt8], text: String
  ) {
    #expect(read([bytes], charset: charset) == text)
  }

  @Test func `a line without end is not cut within a character`() throws {
    let line = "a" + String(repeating: "日本", count: 300_000)
    let bytes = Array(try #require(line.data(using: .shiftJIS)))
    #expect(read([bytes], charset: "shift_jis") == line)
  }

  @Test func `a line without end is read in pieces`() {
    let line = [UInt8](repeating: 0xFC, count: (1 << 20) + 1)
    var reader = TextReader(charset: "iso-8859-1")
    #expect(reader.read(line).unicodeScalars.count == 1 << 20)
    #expect(reader.finish() == "ü")
  }
}
