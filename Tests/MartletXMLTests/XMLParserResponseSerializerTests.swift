import Foundation
import Martlet
import MartletXML
import SpecificationCoverage
import Testing

struct XMLParserResponseSerializerTests {
  private let serializer = XMLParserResponseSerializer()
  private let xml = Data("<a/>".utf8)

  @Test(.covers("T-XMP-01", "T-XMP-02"), arguments: ["application/xml", "text/xml; charset=utf-8"])
  func `two content types are acceptable`(type: String) throws {
    try serializer.validate(.make(200, type), data: xml)
  }

  @Test(.covers("T-XMP-03", "RES-X1"))
  func `others are not`() {
    let error = failure { try serializer.serialize(.make(200, "nonstandard/xml"), data: xml) }
    #expect(error?.message == "Request failed: unacceptable content-type: nonstandard/xml")
    #expect(error?.object == nil)
  }

  @Test(.covers("T-XMP-04"))
  func `XML becomes its events`() throws {
    let events = try serializer.serialize(.make(), data: xml)
    #expect(
      try events.all() == [.startElement(name: "a", attributes: [:]), .endElement(name: "a")])
  }

  @Test(.covers("RES-X2"), arguments: ["", "<foo", "{}"])
  func `whether it is XML comes out when it is read`(text: String) throws {
    let events = try serializer.serialize(.make(), data: Data(text.utf8))
    #expect(failure { try events.all() }?.code == .decodingFailed)
  }

  @Test(.covers("RES-X3", "RES-X1"))
  func `a bad status comes with the events`() throws {
    let error = failure { try serializer.serialize(.make(500), data: xml) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(try (error?.object as? XMLEventSource)?.all().count == 2)
  }

  @Test
  func `the charset of the response says how to read`() throws {
    let data = Data("<a>".utf8) + [0xE9] + Data("</a>".utf8)
    let events = try serializer.serialize(.make(200, "text/xml; charset=latin1"), data: data)
    #expect(try events.all().contains(.text("é")))
  }

  @Test(.covers("T-XMP-05", "RES-X4"))
  func `a copy is equal and changes alone, and an archive keeps it`() throws {
    var one = serializer
    one.acceptableContentTypes = ["a/b"]
    one.acceptableStatusCodes = [418]
    var copy = one
    #expect(copy == one)
    let archive = try JSONEncoder().encode(one)
    #expect(try JSONDecoder().decode(XMLParserResponseSerializer.self, from: archive) == one)
    copy.acceptableStatusCodes = nil
    #expect(copy != one)
  }
}
