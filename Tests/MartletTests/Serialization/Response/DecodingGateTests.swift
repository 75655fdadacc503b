import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

/// What the gate in front of every decoder lets through.
struct DecodingGateTests {
  private struct TextSerializer: HTTPResponseSerializing {
    struct Refusal: Error {}
    var http = HTTPResponseSerializer(acceptableContentTypes: ["text/plain"])

    func serialize(_ response: Response, data: Data) throws -> String {
      try decode(response, data: data) { data in
        guard data != Data.text("bad") else { throw Refusal() }
        return String(decoding: data, as: UTF8.self)
      }
    }
  }

  private let serializer = TextSerializer()

  @Test(.covers("RES-E3"))
  func `an acceptable response is decoded`() throws {
    #expect(try serializer.serialize(.make(200, "text/plain"), data: .text("a")) == "a")
    #expect(try serializer.serialize(.make(200), data: Data()).isEmpty)
  }

  @Test(.covers("RES-E3", "RES-V4"))
  func `the wrong content type without a body is decoded without error`() throws {
    #expect(try serializer.serialize(.make(200, "image/png"), data: Data()).isEmpty)
  }

  @Test(.covers("RES-E3"))
  func `the wrong content type is not decoded`() {
    let error = failure { try serializer.serialize(.make(200, "image/png"), data: .text("a")) }
    #expect(error?.code == .unacceptableContentType)
    #expect(error?.object == nil)
  }

  @Test(.covers("RES-E3"))
  func `the wrong status is decoded, and the error has the value`() {
    let error = failure { try serializer.serialize(.make(500, "text/plain"), data: .text("a")) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.object as? String == "a")
    #expect(error?.underlying == nil)
  }

  @Test(.covers("RES-E2", "RES-E3"))
  func `with both wrong and a body nothing is decoded`() {
    let error = failure { try serializer.serialize(.make(500, "image/png"), data: .text("a")) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect((error?.underlying as? MartletError)?.code == .unacceptableContentType)
    #expect(error?.object == nil)
  }

  @Test(.covers("RES-E3"))
  func `with both wrong and no body the value is there`() {
    let error = failure { try serializer.serialize(.make(500, "image/png"), data: Data()) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.object as? String == "")
  }

  @Test(.covers("RES-E1", "RES-E2", "RES-E4"))
  func `a body that cannot be decoded is the outer error, with the bad status underneath`() {
    let error = failure { try serializer.serialize(.make(500, "text/plain"), data: .text("bad")) }
    #expect(error?.code == .decodingFailed)
    #expect(error?.object == nil)
    #expect(error?.response?.status.code == 500)
    let status = error?.underlying as? MartletError
    #expect(status?.code == .unacceptableStatusCode)
    #expect(status?.underlying is TextSerializer.Refusal)
    #expect(error?.hasCode(.decodingFailed) == true)
    #expect(error?.hasCode(.unacceptableStatusCode) == true)
    #expect(error?.hasCode(.unacceptableContentType) == false)
  }

  @Test(.covers("RES-E4"))
  func `what a decoder throws is kept beneath a sentence, with the response`() {
    let error = failure { try serializer.serialize(.make(200, "text/plain"), data: .text("bad")) }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message.hasPrefix("The response could not be decoded as String: ") == true)
    #expect(error?.underlying is TextSerializer.Refusal)
    #expect(error?.response?.status.code == 200)
    #expect(error?.body == ByteBuffer(string: "bad"))
    #expect(error?.phase == .decode)
  }

  @Test
  func `checks of one's own take part`() {
    struct Strict: HTTPResponseSerializing {
      struct Refusal: Error {}
      var http = HTTPResponseSerializer()

      func validate(_ response: Response, data: Data) throws { throw Refusal() }

      func serialize(_ response: Response, data: Data) throws -> Int {
        try decode(response, data: data) { $0.count }
      }
    }
    #expect(throws: Strict.Refusal.self) { try Strict().serialize(.make(), data: Data()) }
  }
}
