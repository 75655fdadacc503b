import Foundation
import MartletXML
import Testing

struct XMLEncodingTests {
  private func text(_ bytes: [UInt8], charset: String? = nil) throws -> String {
    try XML(parsing: Data(bytes), charset: charset).text
  }

  private let latin = Array("<a>".utf8) + [0xE9] + Array("</a>".utf8)

  @Test
  func `the charset of the response, then the declaration, says how to read`() throws {
    let declaration = Array("<?xml version='1.0' encoding = \"ISO-8859-1\" ?>".utf8)
    #expect(try text(declaration + latin) == "é")
    #expect(try text(latin, charset: "iso-8859-1") == "é")
    #expect(try text(declaration + latin, charset: "koi8-r") == "И")
    #expect(try text(Array("<?xml version='1.0' encoding='utf-16'?><a>é</a>".utf8)) == "é")
  }

  @Test(arguments: [
    String.Encoding.utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32,
  ])
  func `the encodings of Unicode are distinguished`(encoding: String.Encoding) throws {
    let document = try #require("<?xml version='1.0'?><a>é</a>".data(using: encoding))
    #expect(try text(Array(document)) == "é")
  }

  @Test
  func `a byte-order mark counts more than both`() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let document = Array("<?xml version='1.0' encoding='iso-8859-1'?><a>é</a>".utf8)
    #expect(try text(mark + document, charset: "koi8-r") == "é")
  }

  @Test
  func `what cannot be read is said in a sentence`() {
    #expect(reason { try text(latin) } == "its bytes are not valid UTF-8")
    #expect(
      reason { try text(Array("<?xml version='1.0' encoding='x-klingon'?><a/>".utf8)) }
        == "the charset “x-klingon” is not known")
    #expect(
      reason { try text(Array("<a>\0</a>".utf8)) }
        == "it holds a character that XML does not allow")
  }
}
