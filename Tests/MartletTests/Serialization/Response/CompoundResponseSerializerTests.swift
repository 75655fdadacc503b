import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct CompoundResponseSerializerTests {
  /// Stands for an image serializer: it accepts PNG, and makes its number of bytes of it.
  private struct ImageSerializer: HTTPResponseSerializing, Codable, Equatable {
    var http = HTTPResponseSerializer(acceptableContentTypes: ["image/png"])

    func serialize(_ response: Response, data: Data) throws -> Int {
      try decode(response, data: data) { $0.count }
    }
  }

  private let serializer = CompoundResponseSerializer(ImageSerializer(), JSONResponseSerializer())

  @Test(.covers("T-CMP-01", "RES-C1"))
  func `the first component that has a value wins`() throws {
    let json = Response.make(200, "application/json")
    #expect(try serializer.serialize(json, data: .text(#"{"a":1}"#)) as? JSON == ["a": 1])
    let image = Response.make(200, "image/png")
    #expect(try serializer.serialize(image, data: .text(#"{"a":1}"#)) as? Int == 7)
  }

  @Test(.covers("RES-C1"))
  func `components are asked in order`() throws {
    let any = CompoundResponseSerializer(
      TextResponseSerializer(), HTTPResponseSerializer(), JSONResponseSerializer())
    let ok = Response.make(200, "application/json")
    #expect(try any.serialize(ok, data: .text("[]")) as? String == "[]")
    #expect(try any.serialize(ok, data: Data([0xFF])) as? Data == Data([0xFF]))
  }

  @Test(.covers("RES-C2"))
  func `a value in spite of a bad status comes with the error about it`() {
    let error = failure {
      try serializer.serialize(.make(404, "application/json"), data: .text(#"{"why":"x"}"#))
    }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.object as? JSON == ["why": "x"])
  }

  @Test(.covers("RES-C3", "RES-C4"))
  func `what no component can decode is a success with the body as it is`() throws {
    let data = Data.text("{invalid}")
    let ok = Response.make(200, "application/json")
    #expect(try serializer.serialize(ok, data: data) as? Data == data)
    #expect(try serializer.serialize(.make(200, "a/b"), data: data) as? Data == data)
  }

  @Test(.covers("RES-C4"))
  func `what no component can decode and has a bad status is that error`() {
    let error = failure { try serializer.serialize(.make(500, "a/b"), data: .text("x")) }
    #expect(error?.message == "Request failed: internal server error (500)")
    #expect(error?.object as? Data == .text("x"))
    #expect(error?.underlying == nil)
  }

  @Test(.covers("RES-C5"))
  func `a component that only checks always wins`() throws {
    let all = CompoundResponseSerializer(HTTPResponseSerializer(), JSONResponseSerializer())
    let ok = Response.make(200, "application/json")
    #expect(try all.serialize(ok, data: .text("[]")) as? Data == .text("[]"))
  }

  @Test(.covers("RES-C6"))
  func `what the compound accepts counts only when no component has a value`() throws {
    var strict = serializer
    strict.acceptableContentTypes = ["text/plain"]
    strict.acceptableStatusCodes = [201]
    let ok = Response.make(200, "application/json")
    #expect(try strict.serialize(ok, data: .text("[]")) as? JSON == [])
    let error = failure { try strict.serialize(ok, data: .text("{invalid}")) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.hasCode(.unacceptableContentType) == true)
  }

  @Test(.covers("RES-C7"))
  func `an empty body is empty data`() throws {
    let json = CompoundResponseSerializer(JSONResponseSerializer())
    let object = try json.serialize(.make(204, "application/json"), data: Data())
    #expect(object as? Data == Data())
  }

  @Test(.covers("T-CMP-02", "RES-C8"))
  func `a copy is equal and changes alone`() {
    var one = serializer
    one.acceptableStatusCodes = [418]
    one.acceptableContentTypes = ["a/b"]
    var copy = one
    #expect(copy == one)
    #expect(copy.components.first as? ImageSerializer == ImageSerializer())
    #expect(copy.components.last as? JSONResponseSerializer == JSONResponseSerializer())
    #expect(copy.acceptableStatusCodes == [418])
    copy.acceptableContentTypes = nil
    #expect(copy != one)
    #expect(one != serializer)
  }
}
