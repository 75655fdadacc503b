import Foundation
import Martlet
import SpecificationCoverage
import Testing

/// Serializers written down and read again, and compared.
struct RequestSerializerArchivingTests {
  private func archived<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private var rich: HTTPRequestSerializer {
    get throws {
      var serializer = HTTPRequestSerializer()
      try serializer.setValue("tërn", forHTTPHeaderField: "X-Bird")
      serializer.setAuthorization(username: "ada", password: "secret")
      serializer.parameterEncoding.arrays = .indices
      serializer.parameterEncoding.order = .insertion
      serializer.stringEncoding = .isoLatin1
      serializer.methodsEncodingParametersInURL = [.get, .post]
      serializer.allowsCellularAccess = false
      serializer.cachePolicy = .returnCacheDataElseLoad
      serializer.shouldHandleCookies = true
      serializer.shouldUsePipelining = false
      serializer.networkServiceType = .voice
      serializer.timeoutInterval = .milliseconds(1500)
      return serializer
    }
  }

  @Test(.covers("REQ-H29", "REQ-H30"))
  func `all of an HTTP serializer survives`() throws {
    let rich = try rich
    #expect(try archived(rich) == rich)
    #expect(try archived(HTTPRequestSerializer()) == HTTPRequestSerializer())
    #expect(try archived(rich) != HTTPRequestSerializer())
  }

  @Test(.covers("REQ-J8"))
  func `the writing options of a JSON serializer survive`() throws {
    var serializer = JSONRequestSerializer(writingOptions: [.prettyPrinted, .sortedKeys])
    serializer.http = try rich
    #expect(try archived(serializer) == serializer)
    #expect(try archived(serializer).writingOptions == [.prettyPrinted, .sortedKeys])
  }

  @Test(.covers("REQ-P5"))
  func `the format of a property list serializer survives`() throws {
    var serializer = PropertyListRequestSerializer(format: .binary)
    serializer.http = try rich
    #expect(try archived(serializer) == serializer)
    #expect(try archived(serializer).format == .binary)
  }

  @Test func `closures do not survive`() throws {
    var http = HTTPRequestSerializer()
    http.queryStringStyle = .custom { _, _ in "x" }
    #expect(try archived(http).queryStringStyle == .default)
    var json = JSONRequestSerializer()
    json.makeEncoder = { JSONEncoder() }
    #expect(try archived(json) == JSONRequestSerializer())
  }

  @Test func `closures equal themselves and their copies only`() {
    let style = HTTPRequestSerializer.QueryStringStyle.custom { _, _ in nil }
    let copy = style
    #expect(style == copy)
    #expect(style != .custom { _, _ in nil })
    #expect(style != .default)
    var json = JSONRequestSerializer()
    json.makeEncoder = { JSONEncoder() }
    let other = json
    #expect(json == other)
    #expect(json != JSONRequestSerializer())
  }

  @Test(arguments: [
    #"{"methodsEncodingParametersInURL":["GET","A B"]}"#, #"{"cachePolicy":17}"#,
  ])
  func `what makes no sense is refused`(change: String) throws {
    var object = try JSONDecoder().decode(
      [String: JSON].self, from: JSONEncoder().encode(HTTPRequestSerializer()))
    let changes = try JSONDecoder().decode([String: JSON].self, from: Data(change.utf8))
    object.merge(changes) { $1 }
    let data = try JSONEncoder().encode(object)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(HTTPRequestSerializer.self, from: data)
    }
  }

  @Test func `a format that does not exist is refused`() throws {
    let http = try JSONEncoder().encode(HTTPRequestSerializer())
    let text = #"{"format":3,"http":\#(String(decoding: http, as: UTF8.self))}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PropertyListRequestSerializer.self, from: Data(text.utf8))
    }
  }
}
