import Foundation
import Martlet
import MartletXML
import NIOCore
import SpecificationCoverage
import Testing

struct XMLDocumentResponseSerializerTests {
  private let serializer = XMLDocumentResponseSerializer()
  private let xml = Data("<a> <b/></a>".utf8)

  @Test(.covers("T-XMD-01", "T-XMD-02"), arguments: ["application/xml", "text/xml"])
  func `two content types are acceptable`(type: String) throws {
    try serializer.validate(.make(200, type), data: xml)
  }

  @Test(.covers("T-XMD-03", "RES-D1"))
  func `others are not`() {
    let error = failure { try serializer.serialize(.make(200, "nonstandard/xml"), data: xml) }
    #expect(error?.message == "Request failed: unacceptable content-type: nonstandard/xml")
  }

  @Test(.covers("T-XMD-04"))
  func `XML becomes an element`() throws {
    #expect(
      try serializer.serialize(.make(), data: xml) == XML("a", children: [.element(XML("b"))]))
  }

  @Test(.covers("T-XMD-05", "RES-D1"))
  func `an unterminated tag is an error`() {
    let error = failure { try serializer.serialize(.make(), data: Data("<foo".utf8)) }
    #expect(
      error?.message
        == "The response could not be decoded as XML: a tag is malformed, at line 1.")
    #expect(error?.response?.status.code == 200)
    #expect(error?.body?.readableBytes == 4)
  }

  @Test(.covers("RES-D1"))
  func `an empty body is an error`() {
    let error = failure { try serializer.serialize(.make(204), data: Data()) }
    #expect(error?.message == "The response could not be decoded as XML: it has no element.")
  }

  @Test(.covers("RES-D1", "RES-E3", "RES-E4"))
  func `a bad status comes with the element, or is underneath what is wrong with it`() {
    let explained = failure { try serializer.serialize(.make(404), data: xml) }
    #expect(explained?.code == .unacceptableStatusCode)
    #expect((explained?.object as? XML)?.name == "a")
    let malformed = failure { try serializer.serialize(.make(404), data: Data("<a>".utf8)) }
    #expect(malformed?.code == .decodingFailed)
    #expect((malformed?.underlying as? MartletError)?.code == .unacceptableStatusCode)
  }

  @Test(.covers("T-XMD-06", "RES-D2"))
  func `a copy is equal and changes alone, and an archive keeps it`() throws {
    var one = XMLDocumentResponseSerializer(options: XML.ReadingOptions(rawValue: 1))
    one.acceptableContentTypes = ["application/xml"]
    one.acceptableStatusCodes = [200]
    var copy = one
    #expect(copy == one)
    #expect(copy.options == .keepsWhitespace)
    #expect(try copy.serialize(.make(), data: xml).children.first == .text(" "))
    let archive = try JSONEncoder().encode(one)
    #expect(try JSONDecoder().decode(XMLDocumentResponseSerializer.self, from: archive) == one)
    copy.options = []
    #expect(copy != one)
  }
}
