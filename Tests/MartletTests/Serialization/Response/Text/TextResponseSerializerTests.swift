import Foundation
import Martlet
import SpecificationCoverage
import Testing

@testable import MartletEssentials

struct TextResponseSerializerTests {
  private let serializer = TextResponseSerializer()

  private func text(_ bytes: [UInt8], _ contentType: String? = "text/plain") throws -> String {
    try serializer.serialize(.make(200, contentType), data: Data(bytes))
  }

  @Test(arguments: [nil, "text/plain", "text/plain; charset=utf-8", "a/b; charset=\"UTF-8\""])
  func `UTF-8 is the default`(contentType: String?) throws {
    #expect(try text([0x6E, 0x61, 0xC3, 0xAF, 0x66], contentType) == "naïf")
    #expect(try text([], contentType).isEmpty)
  }

  @Test(arguments: CharsetCases.all)
  func `the charset says how to read`(charset: String, bytes: [UInt8], expected: String?) {
    #expect((try? text(bytes, "text/plain; charset=\(charset)")) == expected)
  }

  @Test(arguments: CharsetCases.aliases)
  func `names of registries are known`(charset: String, bytes: [UInt8], expected: String) {
    #expect((try? text(bytes, "text/plain; charset=\(charset)")) == expected)
  }

  @Test
  func `the C library's gaps in Big5 are filled, between other characters too`() throws {
    let bytes: [UInt8] = [
      0xA1, 0x5A, 0xA1, 0xC3, 0xA1, 0xC5, 0xA1, 0xFE, 0xA7, 0x41, 0xA2, 0x40, 0x88, 0x62,
      0xA2, 0xCC, 0xA2, 0xCE,
    ]
    let expected = "╴￣ˍ／你＼\u{CA}\u{304}十卅"
    let text = try text(bytes, "text/plain; charset=big5")
    #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars))
    #expect(throws: MartletError.self) {
      try self.text([0xA1, 0x5A, 0xA1], "text/plain; charset=big5")
    }
  }

  @Test
  func `half-width katakana are read in ISO-2022-JP, and not written`() throws {
    let bytes: [UInt8] = [0x61, 0x1B, 0x28, 0x49, 0x31, 0x1B, 0x28, 0x42]
    #expect(try text(bytes, "text/plain; charset=iso-2022-jp") == "aｱ")
    #expect(CharsetConversion.bytes(of: "aｱ", in: .iso2022JP) == nil)
  }

  @Test(
    arguments: [
      [0xEF, 0xBB, 0xBF, 0x41], [0xFE, 0xFF, 0x00, 0x41], [0xFF, 0xFE, 0x41, 0x00],
      [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x41], [0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0],
    ] as [[UInt8]])
  func `a byte-order mark says it before any charset, and is no part of the text`(bytes: [UInt8])
    throws
  {
    let text = try text(bytes, "text/plain; charset=iso-8859-1")
    #expect(Array(text.unicodeScalars) == ["A"])
  }

  @Test
  func `what the application says counts more than both`() throws {
    let latin = TextResponseSerializer(encoding: .isoLatin1)
    let response = Response.make(200, "text/plain; charset=utf-8")
    #expect(try latin.serialize(response, data: Data([0xE9])) == "é")
    #expect(try latin.serialize(response, data: Data([0xEF, 0xBB, 0xBF])) == "ï»¿")
    let wide = TextResponseSerializer(encoding: .utf16)
    #expect(try wide.serialize(response, data: Data([0xFE, 0xFF, 0, 0x41])) == "A")
  }

  @Test(
    arguments: [
      (
        [0x61, 0xFF], "text/plain",
        "The response could not be decoded as text: its bytes are not valid UTF-8 (set `encoding` to the encoding of the text)."
      ),
      (
        [0xD8, 0x00], "text/plain; charset=utf-16be",
        "The response could not be decoded as text: its bytes are not valid utf-16be (set `encoding` to the encoding of the text)."
      ),
      (
        [0x41, 0x00, 0x42], "text/plain; charset=utf-16",
        "The response could not be decoded as text: its bytes are not valid utf-16 (set `encoding` to the encoding of the text)."
      ),
      (
        [0xFE, 0xFF, 0x41], "text/plain",
        "The response could not be decoded as text: its bytes are not valid UTF-16 (set `encoding` to the encoding of the text)."
      ),
      (
        [0x41], "text/plain; charset=x-Klingon",
        "The response could not be decoded as text: the charset “x-klingon” is not known (set `encoding` to the encoding of the text)."
      ),
    ] as [([UInt8], String, String)])
  func `what cannot be read is said in a sentence`(
    bytes: [UInt8], contentType: String, sentence: String
  ) {
    let error = failure { try text(bytes, contentType) }
    #expect(error?.message == sentence)
    #expect(error?.code == .decodingFailed)
    #expect(error?.response?.status.code == 200)
  }

  @Test
  func `the text of an error page is the error's object`() {
    let error = failure {
      try serializer.serialize(.make(503, "text/plain"), data: .text("Later."))
    }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.object as? String == "Later.")
  }

  @Test
  func `serializers are equal when they read alike`() {
    #expect(TextResponseSerializer() == serializer)
    #expect(TextResponseSerializer(encoding: .utf8) != serializer)
  }
}
