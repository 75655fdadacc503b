import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct JSONRequestSerializerTests {
  private var serializer = JSONRequestSerializer()

  private func post(_ parameters: Parameters?) throws -> Request {
    try serializer.request(method: .post, urlString: "http://example.com", parameters: parameters)
  }

  @Test(.covers("T-JSN-01", "REQ-J4"))
  func `a dictionary becomes a JSON object`() throws {
    let request = try post(["key": "value"])
    #expect(request.body.text == #"{"key":"value"}"#)
    #expect(request.headers[.contentType] == "application/json")
  }

  @Test(.covers("T-JSN-02"))
  func `an array becomes a JSON array`() throws {
    #expect(try post([["key": "value"]]).body.text == #"[{"key":"value"}]"#)
  }

  @Test
  func `every kind of value is written, with names in order`() throws {
    let parameters: Parameters = [
      "z": nil, "b": true, "i": -1, "u": Parameters.unsigned(.max), "d": 0.5, "w": 1.0,
      "s": "\"\\/\n\u{1}é", "l": [[] as Parameters, [:] as Parameters] as Parameters,
      "e": Parameters.encodable(["k": [1]]),
    ]
    #expect(
      try post(parameters).body.text
        == #"{"b":true,"d":0.5,"e":{"k":[1]},"i":-1,"l":[[],{}],"s":"\"\\\/\n\u0001é","u":18446744073709551615,"w":1,"z":null}"#
    )
  }

  @Test(.covers("T-JSN-03", "REQ-J5"), arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite is refused`(number: Double) {
    let parameters: [Parameters] = [
      ["key": number], ["key": [number]], .encodable(["key": number]),
    ]
    for parameters in parameters {
      let error = failure { try post(parameters) }
      #expect(error?.code == .invalidJSONParameters)
      #expect(error?.message == "The `parameters` argument is not valid JSON.")
    }
  }

  @Test(.covers("T-JSN-04", "REQ-J5"))
  func `a set is refused`() {
    let error = failure { try post(["key": Parameters.set([.string("value")])]) }
    #expect(error?.code == .invalidJSONParameters)
    #expect(error?.message == "The `parameters` argument is not valid JSON.")
  }

  @Test(
    .covers("REQ-J5"),
    arguments: [
      .string("text"), .integer(1), .bool(true), .null, .encodable("text"), .encodable(1),
    ]
      as [Parameters])
  func `a single value at the top is refused`(parameters: Parameters) {
    #expect(failure { try post(parameters) }?.code == .invalidJSONParameters)
  }

  @Test(.covers("REQ-J1"))
  func `methods with parameters in the URL get a query`() throws {
    let request = try serializer.request(
      method: .get, urlString: "http://h/", parameters: ["a": ["b": [1]]])
    #expect(request.target == "/?a%5Bb%5D%5B%5D=1")
    #expect(request.body.isEmpty)
    #expect(request.headers[.contentType] == nil)
  }

  @Test(.covers("REQ-J2"))
  func `default headers are added`() throws {
    let given = Request(.post, url: .example, headers: [.userAgent: "mine"])
    let request = try serializer.serialize(given, parameters: nil)
    #expect(request.headers[.userAgent] == "mine")
    #expect(request.headers.contains(.acceptLanguage))
  }

  @Test(.covers("REQ-J3"))
  func `without parameters there is neither body nor content type`() throws {
    let request = try post(nil)
    #expect(request.body.isEmpty)
    #expect(request.headers[.contentType] == nil)
  }

  @Test(.covers("REQ-J4"))
  func `a content type that is there is kept`() throws {
    let given = Request(.put, url: .example, headers: [.contentType: "application/vnd.api+json"])
    let request = try serializer.serialize(given, parameters: [:])
    #expect(request.headers[values: .contentType] == ["application/vnd.api+json"])
    #expect(request.body.text == "{}")
  }

  @Test(.covers("REQ-J6"))
  func `what a value throws while it encodes is kept beneath a sentence`() {
    struct Broken: Encodable {
      struct Refusal: Error {}
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    let error = failure { try post(.encodable(["a": Broken()])) }
    #expect(error?.code == .invalidParameters)
    #expect(error?.underlying is Broken.Refusal)
  }

  @Test(.covers("REQ-J7"))
  mutating func `a custom query style has no say in bodies`() throws {
    serializer.http.queryStringStyle = .custom { _, _ in "custom" }
    #expect(try post(["a": 1]).body.text == #"{"a":1}"#)
    let get = try serializer.request(method: .get, urlString: "http://h/", parameters: ["a": 1])
    #expect(get.target == "/?custom")
  }

  @Test
  mutating func `writing options and the encoder's strategies are used`() throws {
    serializer = JSONRequestSerializer(writingOptions: [.prettyPrinted, .withoutEscapingSlashes])
    #expect(
      try post(["b": [1, 2], "a": "/"]).body.text
        == "{\n  \"a\" : \"/\",\n  \"b\" : [\n    1,\n    2\n  ]\n}")
    serializer = JSONRequestSerializer()
    serializer.makeEncoder = {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .secondsSince1970
      return encoder
    }
    let date = Date(timeIntervalSince1970: 5)
    #expect(try post(.encodable([date])).body.text == "[5]")
    #expect(try post(["at": Parameters.encodable(date)]).body.text == #"{"at":5}"#)
    #expect(
      try post(["at": date, "raw": Data([1])]).body.text
        == #"{"at":5,"raw":"AQ=="}"#)
  }
}
