import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

struct JSONResponseSerializerTests {
  private var serializer = JSONResponseSerializer()
  private let ok = Response.make(200, "application/json")

  @Test(
    .covers("T-JSN-05", "T-JSN-06", "T-JSN-07"),
    arguments: ["application/json", "text/json", "text/javascript"])
  func `three content types are acceptable`(type: String) throws {
    try serializer.validate(.make(200, type), data: .text("{}"))
  }

  @Test(.covers("T-JSN-08", "RES-J1"))
  func `other content types are not`() {
    let error = failure {
      try serializer.serialize(.make(200, "nonstandard/json"), data: .text("{}"))
    }
    #expect(error?.message == "Request failed: unacceptable content-type: nonstandard/json")
  }

  @Test(.covers("T-JSN-09"))
  func `an object is decoded`() throws {
    #expect(try serializer.serialize(ok, data: .text(#"{"key":"value"}"#)) == ["key": "value"])
  }

  @Test(.covers("T-JSN-10", "RES-J3"))
  func `malformed JSON is an error with the response and its body`() {
    let error = failure { try serializer.serialize(ok, data: .text("{invalid}")) }
    #expect(error?.code == .decodingFailed)
    #expect(
      error?.message
        == "The response could not be decoded as JSON: unexpected character “i” at line 1, column 2."
    )
    #expect((error?.underlying as NSError?)?.code == 3840)
    #expect(error?.body == ByteBuffer(string: "{invalid}"))
    #expect(error?.response?.status.code == 200)
  }

  @Test(.covers("T-JSN-11", "T-JSN-12", "RES-J2"), arguments: ["", " "])
  func `no body, or a single blank, is nil`(body: String) throws {
    #expect(try serializer.serialize(ok, data: .text(body)) == nil)
  }

  @Test(.covers("RES-J2"), arguments: ["  ", "\n", "\t"])
  func `other blanks are not special`(body: String) {
    #expect(failure { try serializer.serialize(ok, data: .text(body)) }?.code == .decodingFailed)
  }

  @Test(.covers("RES-J4"))
  func `the response's charset is ignored`() throws {
    let data = try #require("[\"é\"]".data(using: .utf16BigEndian))
    let response = Response.make(200, "application/json; charset=latin1")
    #expect(try serializer.serialize(response, data: data) == ["é"])
  }

  @Test(.covers("RES-J4"))
  func `single values need a reading option`() throws {
    #expect(failure { try serializer.serialize(ok, data: .text("1")) }?.code == .decodingFailed)
    let lax = JSONResponseSerializer(readingOptions: .fragmentsAllowed)
    #expect(try lax.serialize(ok, data: .text("1")) == 1)
    #expect(try lax.serialize(ok, data: .text("null")) == JSON.null)
  }

  @Test(.covers("T-JSN-13", "RES-J5"))
  mutating func `nulls are removed when that is asked for`() throws {
    let body = Data.text(
      #"{"key":"value","nullkey":null,"array":[{"subnull":null}],"arrayWithNulls":[null]}"#)
    #expect(try serializer.serialize(ok, data: body)?["nullkey"] == JSON.null)
    serializer.removesKeysWithNullValues = true
    #expect(
      try serializer.serialize(ok, data: body)
        == ["key": "value", "array": [[:]], "arrayWithNulls": []])
  }

  @Test(.covers("RES-J1", "RES-E3"))
  func `the JSON of an error response is the error's object`() {
    let error = failure {
      try serializer.serialize(.make(422, "application/json"), data: .text(#"{"why":"x"}"#))
    }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.object as? JSON == ["why": "x"])
    let empty = failure { try serializer.serialize(.make(422), data: Data()) }
    #expect(empty?.code == .unacceptableStatusCode)
    #expect(empty?.object == nil)
  }

  @Test(.covers("RES-E4"))
  func `an error page that claims to be JSON is a body that is not, with the status underneath`() {
    let error = failure {
      try serializer.serialize(.make(502, "application/json"), data: .text("<html>"))
    }
    #expect(error?.code == .decodingFailed)
    let status = error?.underlying as? MartletError
    #expect(status?.message == "Request failed: bad gateway (502)")
    #expect((status?.underlying as NSError?)?.code == 3840)
  }

  @Test(arguments: [
    (
      "[\"\u{FFFD}",
      "The response could not be decoded as JSON: unexpected end."
    ),
    (
      String(repeating: "[", count: 600),
      "The response could not be decoded as JSON: it nests deeper than 512 levels."
    ),
  ])
  func `what is wrong with JSON is said in a sentence`(text: String, sentence: String) {
    #expect(message { try serializer.serialize(ok, data: .text(text)) } == sentence)
  }

  @Test
  func `invalid UTF-8 is said in a sentence`() {
    let data = Data([0x5B, 0x22, 0xFF, 0x22, 0x5D])
    #expect(
      message { try serializer.serialize(ok, data: data) }
        == "The response could not be decoded as JSON: the text at line 1, column 3 is not UTF-8."
    )
  }

  @Test(.covers("T-JSN-14", "RES-J11"))
  func `a copy is equal and changes alone`() {
    var one = JSONResponseSerializer(readingOptions: .fragmentsAllowed)
    one.acceptableStatusCodes = [418]
    one.acceptableContentTypes = ["text/plain"]
    one.removesKeysWithNullValues = true
    var copy = one
    #expect(copy == one)
    #expect(copy.acceptableStatusCodes == [418])
    #expect(copy.acceptableContentTypes == ["text/plain"])
    #expect(copy.readingOptions == .fragmentsAllowed)
    #expect(copy.removesKeysWithNullValues)
    copy.removesKeysWithNullValues = false
    #expect(copy != one)
    #expect(Set([copy, one, one]).count == 2)
  }
}
