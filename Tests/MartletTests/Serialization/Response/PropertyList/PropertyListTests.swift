import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct PropertyListTests {
  /// Arrays within arrays.
  private struct Levels: Decodable {
    let depth: Int

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      depth = container.isAtEnd ? 1 : try container.decode(Levels.self).depth + 1
    }
  }

  private let list: PropertyList = [
    "bool": true, "whole": -7, "large": .unsigned(.max), "real": 2.5, "text": "né",
    "date": .date(Date(timeIntervalSince1970: 86_400)), "data": .data(Data([1, 2])),
    "array": [1, ["x": false]], "empty": [:],
  ]

  private func xml(_ content: String) throws -> PropertyList {
    try PropertyList(parsing: .text("<?xml version=\"1.0\"?><plist>\(content)</plist>"))
  }

  @Test
  func `what is written in binary can be read again`() throws {
    #expect(try PropertyList(parsing: list.data(format: .binary)) == list)
  }

  @Test
  func `what is written in XML can be read again, but for the largest numbers`() throws {
    var list = list
    list["large"] = nil
    #expect(try PropertyList(parsing: list.data()) == list)
  }

  @Test
  func `kinds of numbers are kept apart`() throws {
    #expect(try xml("<integer>1</integer>") == 1)
    #expect(try xml("<real>1</real>") == .real(1))
    #expect(try xml("<true/>") == true)
    #expect(try xml("<integer>-9223372036854775808</integer>") == .integer(.min))
  }

  @Test
  func `subscripts lead down, and to nil where there is nothing`() {
    #expect(list["array"][1]["x"]?.boolValue == false)
    #expect(list["array"][2] == nil)
    #expect(list["text"]["x"] == nil)
    #expect(list[0] == nil)
  }

  @Test
  func `typed accessors give nil for other types`() {
    #expect(list["whole"]?.intValue == -7)
    #expect(list["large"]?.intValue == nil)
    #expect(list["large"]?.doubleValue == 0x1p64)
    #expect(list["real"]?.intValue == nil)
    #expect(list["whole"]?.doubleValue == -7)
    #expect(list["text"]?.stringValue == "né")
    #expect(list["date"]?.dateValue == Date(timeIntervalSince1970: 86_400))
    #expect(list["data"]?.dataValue == Data([1, 2]))
    #expect(list["text"]?.dataValue == nil)
    #expect(list["array"]?.arrayValue?.count == 2)
    #expect(list["empty"]?.dictionaryValue == [:])
  }

  @Test
  func `entries can be set and removed`() {
    var list: PropertyList = ["a": 1]
    list["b"] = "two"
    list["a"] = nil
    #expect(list == ["b": "two"])
  }

  @Test
  func `untyped trees go in and out`() throws {
    #expect(try PropertyList(list.any) == list)
    #expect(
      message { try PropertyList(["a": NSNull()]) }
        == "A property list cannot hold null: give text, a number, a boolean, a date, data, or a container of these."
    )
    #expect(
      message { try PropertyList(URL(fileURLWithPath: "/")) }
        == "A property list cannot hold a value of type URL: give text, a number, a boolean, a date, data, or a container of these."
    )
  }

  @Test
  func `it is coded as what it is`() throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    #expect(try PropertyListDecoder().decode(PropertyList.self, from: encoder.encode(list)) == list)
  }

  @Test
  func `OpenStep's format cannot be written`() {
    #expect(
      message { try list.data(format: .openStep) }
        == "Property lists cannot be written in OpenStep's format: use XML or binary.")
  }

  @Test(arguments: [
    ("<plist>", "Encountered empty plist tag"),
    ("<plist><array></dict></plist>", "Close tag on line 1 does not match open tag array"),
    (
      "<plist><integer>99999999999999999999</integer></plist>",
      "Integer overflow in <integer> on line 1"
    ),
    (
      "<plist>" + String(repeating: "<array>", count: 100_000),
      "Too many nested arrays or dictionaries, failing on line 1"
    ),
    (
      "<!DOCTYPE plist [<!ENTITY a \"aaaa\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]><plist><string>&a;&b;</string></plist>",
      "Encountered unexpected character [ on line 1 while parsing DTD"
    ),
  ])
  func `what is wrong with XML is said in a sentence`(text: String, reason: String) {
    #expect(
      message { try PropertyList(parsing: .text("<?xml version=\"1.0\"?>" + text)) }
        == "The response could not be decoded as a property list: \(reason).")
  }

  @Test
  func `a keyed archive in XML is refused as one in binary is`() {
    let error = failure { try xml("<dict><key>CF$UID</key><integer>1</integer></dict>") }
    #expect(error?.code == .decodingFailed)
    #expect(
      error?.message
        == "The response could not be decoded as a property list: it is a keyed archive, which only its own program can read."
    )
  }

  @Test(.timeLimit(.minutes(1)))
  func `a dictionary is made entry by entry in linear time`() {
    var list: PropertyList = [:]
    for number in 0..<100_000 { list["\(number)"] = .integer(Int64(number)) }
    #expect(list.dictionaryValue?.count == 100_000)
  }

  @Test
  func `500 levels can be read, decoded, written and forgotten`() throws {
    let text = String(repeating: "<array>", count: 500) + String(repeating: "</array>", count: 500)
    let list = try xml(text)
    let binary = try list.data(format: .binary)
    #expect(try PropertyListDecoder().decodeValue(PropertyList.self, from: binary) == list)
    #expect(try PropertyListDecoder().decodeValue(Levels.self, from: binary).depth == 500)
  }

  @Test(arguments: ["(", "{a="])
  func `OpenStep's format that is nested too deep is an error`(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    #expect(failure { try PropertyList(parsing: .text(text)) }?.code == .decodingFailed)
  }
}
