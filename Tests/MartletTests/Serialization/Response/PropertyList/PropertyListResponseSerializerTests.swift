import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

struct PropertyListResponseSerializerTests {
  private let serializer = PropertyListResponseSerializer()
  private let ok = Response.make(200, "application/x-plist")
  private let xml = Data.text(
    "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key><true/></dict></plist>")

  @Test(.covers("T-PLR-01", "RES-P3"))
  func `a dictionary in XML is decoded`() throws {
    #expect(try serializer.serialize(ok, data: xml) == ["a": true])
  }

  @Test(.covers("RES-P3", "RES-P4"))
  func `the format is detected, whatever was expected`() throws {
    let list: PropertyList = ["a": [1, "b"]]
    let data = try list.data(format: .binary)
    #expect(try serializer.serialize(ok, data: data) == list)
    let other = PropertyListResponseSerializer(format: .binary)
    #expect(try other.serialize(ok, data: xml) == ["a": true])
    #expect(try serializer.serialize(ok, data: .text("{ a = (1, b); }")) == ["a": ["1", "b"]])
  }

  @Test(.covers("T-PLR-02", "RES-P3"))
  func `JSON is not a property list`() {
    let error = failure { try serializer.serialize(ok, data: .text(#"{"key":"value"}"#)) }
    #expect(
      error?.message
        == "The response could not be decoded as a property list: Unexpected character { at line 1."
    )
    #expect(error?.code == .decodingFailed)
    #expect((error?.underlying as NSError?)?.code == 3840)
    #expect(error?.body == ByteBuffer(string: #"{"key":"value"}"#))
  }

  @Test(.covers("T-PLR-03", "RES-P1", "RES-P2"))
  func `no body is nil`() throws {
    #expect(try serializer.serialize(.make(204, "application/x-plist"), data: Data()) == nil)
    let error = failure { try serializer.serialize(.make(500), data: Data()) }
    #expect(error?.message == "Request failed: internal server error (500)")
    #expect(error?.object == nil)
  }

  @Test(.covers("RES-P1", "RES-E3"))
  func `other content types are refused, and bad statuses decoded all the same`() {
    let type = failure { try serializer.serialize(.make(200, "application/json"), data: xml) }
    #expect(type?.message == "Request failed: unacceptable content-type: application/json")
    let status = failure { try serializer.serialize(.make(404, "application/x-plist"), data: xml) }
    #expect(status?.code == .unacceptableStatusCode)
    #expect(status?.object as? PropertyList == ["a": true])
  }

  @Test(.covers("T-PLR-04", "RES-P4"))
  func `a copy is equal and changes alone`() {
    var one = PropertyListResponseSerializer(format: .binary, readOptions: .mutableContainers)
    one.acceptableStatusCodes = [418]
    one.acceptableContentTypes = ["a/b"]
    var copy = one
    #expect(copy == one)
    #expect(copy.acceptableStatusCodes == [418])
    #expect(copy.acceptableContentTypes == ["a/b"])
    #expect(copy.format == .binary)
    #expect(copy.readOptions == .mutableContainers)
    copy.format = .xml
    #expect(copy != one)
  }

  @Test
  func `a Decodable value is decoded`() throws {
    struct User: Codable, Equatable {
      var name: String
      var born: Date
      var photo: Data
    }
    let user = User(
      name: "Ada", born: Date(timeIntervalSince1970: -4_861_728_000), photo: Data([1]))
    let decodable = DecodableResponseSerializer<User>(decoder: PropertyListDecoder())
    #expect(decodable.acceptableContentTypes == ["application/x-plist"])
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      #expect(try decodable.serialize(ok, data: encoder.encode(user)) == user)
    }
    #expect(
      message { try decodable.serialize(ok, data: xml) }
        == "The response could not be decoded as User: “name” is missing.")
    #expect(
      message { try decodable.serialize(ok, data: .text("<plist>")) }
        == "The response could not be decoded as a property list: Encountered empty plist tag.")
  }

  @Test
  func `decodable serializers are equal when they share a decoder`() {
    let decoder = PropertyListDecoder()
    let one = DecodableResponseSerializer<Int>(decoder: decoder)
    #expect(one == DecodableResponseSerializer<Int>(decoder: decoder))
    #expect(one != DecodableResponseSerializer<Int>(decoder: PropertyListDecoder()))
  }
}
