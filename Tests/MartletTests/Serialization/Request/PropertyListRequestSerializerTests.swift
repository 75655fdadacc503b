import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct PropertyListRequestSerializerTests {
  private var serializer = PropertyListRequestSerializer()

  private func post(_ parameters: Parameters?) throws -> Request {
    try serializer.request(method: .post, urlString: "http://example.com", parameters: parameters)
  }

  /// What Foundation reads out of the body.
  private func list(_ parameters: Parameters) throws -> NSDictionary {
    let bytes = try #require(try post(parameters).body.bytes)
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    return try #require(list as? [String: Any]) as NSDictionary
  }

  @Test(.covers("T-PLQ-01", "REQ-P2", "REQ-P4"))
  func `a dictionary becomes a property list in XML`() throws {
    let request = try post(["key": "value"])
    #expect(request.body.text?.hasPrefix("<?xml version=\"1.0\"") == true)
    #expect(
      request.body.text?.contains("<dict>\n\t<key>key</key>\n\t<string>value</string>\n</dict>")
        == true)
    #expect(request.headers[.contentType] == "application/x-plist")
  }

  @Test
  mutating func `the binary format is written when asked for`() throws {
    serializer.format = .binary
    #expect(try post(["key": "value"]).body.bytes?.starts(with: "bplist00".utf8) == true)
    #expect(try list(["key": "value"]) == ["key": "value"])
  }

  @Test func `every kind of value arrives`() throws {
    struct Bird: Encodable {
      var name = "Tern"
      var seen = Date(timeIntervalSince1970: 7)
      var weights = [0.5]
    }
    let parameters: Parameters = [
      "b": true, "i": -1, "d": 0.5, "s": "ü & <", "t": Date(timeIntervalSince1970: 5),
      "x": Data([1, 2]), "l": [[] as Parameters, [:] as Parameters] as Parameters, "e": Bird(),
      "n": Parameters.encodable(3), "u": Parameters.unsigned(7),
    ]
    let expected: NSDictionary = [
      "b": true, "i": -1, "d": 0.5, "s": "ü & <", "t": Date(timeIntervalSince1970: 5),
      "x": Data([1, 2]), "l": [[], [String: Any]()] as [Any],
      "e": ["name": "Tern", "seen": Date(timeIntervalSince1970: 7), "weights": [0.5]]
        as [String: Any],
      "n": 3, "u": 7,
    ]
    #expect(try list(parameters) == expected)
  }

  @Test func `a value that encodes itself is a whole list`() throws {
    #expect(try list(.encodable(["a": [1, 2]])) == ["a": [1, 2]])
  }

  @Test(.covers("T-PLQ-02", "REQ-P3"))
  func `keys that are numbers are refused`() {
    let error = failure { try post(Parameters(["list": [42: "value"]])) }
    #expect(error?.code == .invalidParameters)
    #expect(
      error?.message
        == "The parameters cannot be encoded: the value at “list” is of type Dictionary<Int, String>: give text, a number, a boolean, a date, data, or a container of these with text for keys."
    )
  }

  @Test(
    .covers("REQ-P3"),
    arguments: [
      (
        ["a": ["b": nil] as Parameters],
        "the value at “a[b]” is null, which property lists do not have"
      ),
      (
        ["a": [Parameters.set([.integer(1)])] as Parameters],
        "the value at “a[]” is a set, which property lists do not have"
      ),
    ] as [(Parameters, String)])
  func `what property lists do not have is refused`(parameters: Parameters, reason: String) {
    let error = failure { try post(parameters) }
    #expect(error?.code == .invalidParameters)
    #expect(error?.message == "The parameters cannot be encoded: \(reason).")
  }

  @Test(.covers("REQ-P3"))
  func `what a value throws while it encodes is kept beneath a sentence`() {
    struct Broken: Encodable {
      struct Refusal: Error {}
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    let error = failure { try post(["a": Broken()]) }
    #expect(error?.code == .invalidParameters)
    #expect(error?.underlying is Broken.Refusal)
  }

  @Test(.covers("REQ-P3"))
  mutating func `a format that cannot be written is refused`() {
    serializer.format = .openStep
    #expect(
      message { try post(["a": 1]) }
        == "The parameters cannot be encoded: property lists cannot be written in the OpenStep format: use xml or binary."
    )
  }

  @Test(.covers("REQ-P1"))
  func `methods with parameters in the URL get a query`() throws {
    let request = try serializer.request(
      method: .get, urlString: "http://h/", parameters: ["a": ["b": [1]]])
    #expect(request.target == "/?a%5Bb%5D%5B%5D=1")
    #expect(request.body.isEmpty)
    #expect(request.headers[.contentType] == nil)
  }

  @Test(.covers("REQ-P1"))
  func `without parameters there is neither body nor content type`() throws {
    let request = try post(nil)
    #expect(request.body.isEmpty)
    #expect(request.headers[.contentType] == nil)
    #expect(request.headers.contains(.acceptLanguage))
  }

  @Test(.covers("REQ-P2"))
  func `a content type that is there is kept`() throws {
    let given = Request(.put, url: .example, headers: [.contentType: "application/vnd.x+xml"])
    let request = try serializer.serialize(given, parameters: [:])
    #expect(request.headers[values: .contentType] == ["application/vnd.x+xml"])
  }
}
