import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

private struct User: Decodable, Equatable {
  struct Address: Decodable, Equatable {
    var city: String
  }

  var name: String
  var age: Int?
  var addresses: [Address]?
  var home: URL?
}

struct DecodableResponseSerializerTests {
  private let ok = Response.make(200, "application/json")

  private func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, _ text: String
  ) throws -> Value {
    try DecodableResponseSerializer(type).serialize(ok, data: .text(text))
  }

  @Test
  func `a value is decoded`() throws {
    let user = try decode(User.self, #"{"name":"Ada","age":36}"#)
    #expect(user == User(name: "Ada", age: 36))
    #expect(try decode([Int].self, "[1,2]") == [1, 2])
    #expect(try decode(Int.self, "7") == 7)
    #expect(try decode(JSON.self, #"{"a":[1]}"#) == ["a": [1]])
  }

  @Test(
    arguments: [
      (#"{"age":3}"#, "“name” is missing"),
      (#"{"name":"Ada","addresses":[{"city":"x"},{}]}"#, "“addresses[1].city” is missing"),
      (#"{"name":null}"#, "“name” is null where a value of type String is needed"),
      (#"{"name":1}"#, "“name” is not of type String"),
      (#"{"name":"Ada","age":"old"}"#, "“age” is not of type Int"),
      ("[]", "the body is not of type Dictionary<String, Any>"),
    ])
  func `the sentence says what is wrong and where`(text: String, reason: String) {
    let error = failure { try decode(User.self, text) }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message == "The response could not be decoded as User: \(reason).")
    #expect(error?.underlying is DecodingError)
    #expect(error?.response?.status.code == 200)
    #expect(error?.body == ByteBuffer(string: text))
  }

  @Test(arguments: ["{invalid}", "{", "\u{FEFF}\u{0}", #"{"name":"\ud800"}"#])
  func `malformed JSON is an error`(text: String) {
    let error = failure { try decode(User.self, text) }
    #expect(error?.code == .decodingFailed)
    #expect(
      error?.message.hasPrefix("The response could not be decoded as User: the body is malformed: ")
        == true)
  }

  @Test
  func `JSON that is nested too deep is an error`() throws {
    let text = String(repeating: "[", count: 100_000)
    #expect(failure { try decode(JSON.self, text) }?.code == .decodingFailed)
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try decode(JSON.self, deep).description == deep)
  }

  @Test(arguments: ["", " "])
  func `no body is nil for an optional, and an error for anything else`(text: String) throws {
    #expect(try decode(User?.self, text) == nil)
    let error = failure { try decode(User.self, text) }
    #expect(
      error?.message
        == "The response could not be decoded as User: its body is empty (decode an optional type if the body may be empty)."
    )
    #expect(error?.response?.status.code == 200)
  }

  @Test
  func `an optional is named after what it wraps`() {
    #expect(
      message { try decode(User?.self, "{}") }
        == "The response could not be decoded as User: “name” is missing.")
  }

  @Test(.covers("RES-E3", "RES-E4"))
  func `a bad status is the error, whether or not its body is such a value`() {
    let serializer = DecodableResponseSerializer<User>()
    let notFound = Response.make(404, "application/json")
    let other = failure { try serializer.serialize(notFound, data: .text(#"{"error":"x"}"#)) }
    #expect(other?.message == "Request failed: not found (404)")
    #expect(other?.body == ByteBuffer(string: #"{"error":"x"}"#))
    #expect((other?.underlying as? MartletError)?.code == .decodingFailed)
    let same = failure { try serializer.serialize(notFound, data: .text(#"{"name":"Ada"}"#)) }
    #expect(same?.object as? User == User(name: "Ada"))
  }

  @Test
  func `checks and decoder can be chosen`() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Bird: Decodable { var wingSpan: Int }
    let serializer = DecodableResponseSerializer<Bird>(
      http: HTTPResponseSerializer(acceptableStatusCodes: [418]), decoder: decoder)
    let bird = try serializer.serialize(.make(418, "a/b"), data: .text(#"{"wing_span":3}"#))
    #expect(bird.wingSpan == 3)
    #expect(DecodableResponseSerializer<Bird>().acceptableContentTypes?.count == 4)
  }
}
