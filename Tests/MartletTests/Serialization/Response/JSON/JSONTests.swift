import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct JSONTests {
  private func parse(_ text: String) throws -> JSON {
    try JSON(parsing: .text(text), options: .fragmentsAllowed)
  }

  @Test(
    arguments: [
      ("null", nil), ("true", true), ("0", 0), ("-1", -1),
      ("9223372036854775807", 9_223_372_036_854_775_807),
      ("-9223372036854775808", .integer(.min)), ("18446744073709551615", .unsigned(.max)),
      ("1.5", 1.5), ("1e3", 1000.0), ("\"é\\u00e9\\n\"", "éé\n"), ("[]", []), ("{}", [:]),
      ("[1,[null]]", [1, [nil]]), ("{\"a\":{\"b\":false}}", ["a": ["b": false]]),
    ] as [(String, JSON)])
  func `JSON text is read`(text: String, json: JSON) throws {
    #expect(try parse(text) == json)
  }

  @Test(arguments: [
    "", "{", "[1,,2]", "{invalid}", "01", "[1] x", "\"\\ud800\"", "nul", "1e999", "\u{0}",
  ])
  func `malformed text is an error`(text: String) {
    let error = failure { try parse(text) }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message.hasPrefix("The response could not be decoded as JSON: ") == true)
    #expect(error?.underlying != nil)
  }

  @Test
  func `the sign of a zero is kept`() throws {
    let zero = try parse("-0")
    #expect(zero == .double(-0.0))
    #expect(zero.doubleValue?.sign == .minus)
    #expect(zero.intValue == 0)
    #expect(zero.description == "-0")
    #expect(JSON.double(-0.0).description == "-0")
    #expect(JSON.double(0).description == "0")
  }

  @Test(arguments: ["\u{301}", "\u{F73}"])
  func `a name with more than 128 combining marks in sequence is an error`(mark: String) throws {
    let name = "a" + String(repeating: mark, count: 128)
    #expect(try parse("{\"\(name)b\(name)\":1}") == ["\(name)b\(name)": 1])
    #expect(
      message { try parse("{\n\"\(name)\(mark)\":1}") }
        == "The response could not be decoded as JSON: the name at line 2, column 2 has more than 128 combining marks in sequence."
    )
    #expect(try parse("\"\(name)\(mark)\"").stringValue?.unicodeScalars.count == 130)
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `text that is nested too deep is an error`(opening: String) {
    #expect(
      failure { try parse(String(repeating: opening, count: 100_000)) }?.code == .decodingFailed)
  }

  @Test(
    .covers("RES-J4"),
    arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf32BigEndian])
  func `UTF-8, UTF-16 and UTF-32 are distinguished`(encoding: String.Encoding) throws {
    let data = try #require("[\"é\"]".data(using: encoding))
    #expect(try JSON(parsing: data) == ["é"])
  }

  @Test
  func `subscripts lead down, and to nil where there is nothing`() throws {
    let json = try parse(#"{"users":[{"name":"Ada","age":36}]}"#)
    #expect(json["users"][0]["name"]?.stringValue == "Ada")
    #expect(json["users"][0]["age"]?.intValue == 36)
    #expect(json["users"][1]["name"] == nil)
    #expect(json["users"][-1] == nil)
    #expect(json["users"]["name"] == nil)
    #expect(json[0] == nil)
  }

  @Test
  func `entries can be set and removed`() {
    var json: JSON = ["a": 1]
    json["b"] = "two"
    json["a"] = nil
    #expect(json == ["b": "two"])
  }

  @Test
  func `typed accessors give nil for other types`() {
    #expect(JSON.bool(true).intValue == nil)
    #expect(JSON.integer(1).boolValue == nil)
    #expect(JSON.double(2).intValue == 2)
    #expect(JSON.double(2.5).intValue == nil)
    #expect(JSON.unsigned(.max).intValue == nil)
    #expect(JSON.unsigned(.max).doubleValue == 0x1p64)
    #expect(JSON.integer(3).doubleValue == 3)
    #expect(JSON.string("a").arrayValue == nil)
    #expect(JSON.array([1]).arrayValue == [1])
    #expect(JSON.object(["a": 1]).objectValue == ["a": 1])
    #expect(JSON.null.isNull)
  }

  @Test(.covers("RES-J6", "RES-J7", "RES-J9"))
  func `removing nulls goes to every depth and leaves empty containers`() throws {
    let json = try parse(#"{"a":null,"b":{"c":null},"d":[null,1,{"e":null},[null]],"f":"x"}"#)
    #expect(json.removingNulls() == ["b": [:], "d": [1, [:], []], "f": "x"])
    #expect(removingNulls(from: json) == json.removingNulls())
  }

  @Test(.covers("RES-J8"), arguments: [nil, 1, "a", true] as [JSON])
  func `removing nulls from a single value leaves it alone`(json: JSON) {
    #expect(json.removingNulls() == json)
  }

  @Test
  func `untyped trees go in and out`() throws {
    let json: JSON = ["a": [1, 2.5, true, nil, "x", .unsigned(.max)]]
    #expect(try JSON(json.any) == json)
    #expect(
      try JSON(["a": NSNumber(value: false), "b": NSNull(), "c": UInt8(3)] as [String: Any]) == [
        "a": false, "b": nil, "c": 3,
      ])
    #expect(failure { try JSON([Date()]) }?.code == .invalidJSONParameters)
    #expect(failure { try JSON(Double.nan) }?.code == .invalidJSONParameters)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an object is made entry by entry in linear time`() {
    var json = JSON.null
    for number in 0..<100_000 { json["\(number)"] = .integer(Int64(number)) }
    #expect(json["99999"] == 99_999)
    json["99999"] = nil
    #expect(json.objectValue?.count == 99_999)
  }

  @Test
  func `it is coded as what it is`() throws {
    let json: JSON = ["a": [1, 2.5, true, nil, "x", .unsigned(.max), [:]]]
    let data = try JSONEncoder().encode(json)
    #expect(try JSONDecoder().decode(JSON.self, from: data) == json)
  }

  @Test
  func `it describes itself as compact JSON`() {
    let json: JSON = ["b": [1, 1.0, "/\t\u{7F}"], "a": nil]
    #expect(json.description == "{\"a\":null,\"b\":[1,1,\"/\\t\u{7F}\"]}")
    #expect(String(decoding: JSON.string("/").data(), as: UTF8.self) == #""\/""#)
    #expect(JSON.double(.nan).description == "null")
  }

  @Test func `control characters are escaped (RFC 8259 §7)`() {
    #expect(
      JSON.string("\u{0}\u{1}\u{F}\u{10}\u{1F} ").description
        == #""\u0000\u0001\u000f\u0010\u001f ""#)
  }

  @Test func `whole numbers are written without a fraction as far as a Double is exact`() {
    #expect(JSON.double(0x1p53 - 1).description == "9007199254740991")
    #expect(JSON.double(0x1p53).description == "9007199254740992.0")
  }

  @Test(arguments: [["a": []], ["b": [:], "a": [1, ["x": nil]]], []] as [JSON])
  func `what is written can be read again`(json: JSON) throws {
    #expect(try JSON(parsing: json.data()) == json)
    #expect(try JSON(parsing: json.data(options: .prettyPrinted)) == json)
  }
}
