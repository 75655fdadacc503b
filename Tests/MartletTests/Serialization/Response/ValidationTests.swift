import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

struct ValidationTests {
  @Test
  func `an error takes as much of a body as it keeps, however large that is`() {
    let data = Data(count: 1 << 32)
    let error = failure { try HTTPResponseSerializer().serialize(.make(404), data: data) }
    #expect(error?.body?.readableBytes == MartletError.bodyLimit)
    let failed = failure {
      try HTTPResponseSerializer().decode(.make(200), data: data) { _ in
        throw CocoaError(.coderInvalidValue)
      }
    }
    #expect(failed?.body?.readableBytes == MartletError.bodyLimit)
  }

  private let serializer = HTTPResponseSerializer()
  private let typed = HTTPResponseSerializer(acceptableContentTypes: ["text/html"])
  private let body = Data.text("text")

  @Test(.covers("T-RES-01"), arguments: 200...299)
  func `status codes from 200 to 299 are acceptable`(code: Int) {
    #expect(throws: Never.self) {
      try serializer.validate(.make(code, "text/html"), data: body)
    }
  }

  @Test(.covers("T-RES-04", "RES-V6"), arguments: 400...599)
  func `status codes from 400 to 599 are not acceptable`(code: Int) {
    let error = failure { try serializer.validate(.make(code, "text/html"), data: body) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(!serializer.validation(of: .make(code), data: body).isValid)
  }

  @Test(.covers("T-RES-05", "RES-V9"))
  func `a response with an acceptable status is valid`() {
    let validation = serializer.validation(of: .make(200, "text/html"), data: body)
    #expect(validation.isValid)
    #expect(validation.error == nil)
  }

  @Test(.covers("T-RES-02", "RES-V2", "RES-V10"))
  func `no content type is acceptable as long as there is no body`() {
    #expect(typed.validation(of: .make(205), data: Data()).isValid)
    #expect(typed.validation(of: .make(205), data: Data()).error == nil)
    #expect(!typed.validation(of: .make(205), data: body).isValid)
  }

  @Test(.covers("T-RES-03", "RES-V3"))
  func `a body without content type is an error`() {
    let error = failure { try typed.validate(.make(205), data: body) }
    #expect(error?.code == .unacceptableContentType)
    #expect(error?.message == "Request failed: unacceptable content-type: (null)")
  }

  @Test(.covers("RES-V3"), arguments: ["text/html; charset=utf-8", "TEXT/HTML", " text/html ;q"])
  func `parameters and case of a content type do not matter`(type: String) {
    #expect(throws: Never.self) { try typed.validate(.make(200, type), data: body) }
  }

  @Test(.covers("RES-V3"), arguments: ["text/html5", "text", "text/*"])
  func `any other difference does`(type: String) {
    #expect(failure { try typed.validate(.make(200, type), data: body) } != nil)
  }

  @Test(.covers("RES-V4", "RES-V10"))
  func `the wrong content type without a body is invalid, and yet no error`() throws {
    let validation = typed.validation(of: .make(200, "image/png"), data: Data())
    #expect(!validation.isValid)
    #expect(validation.error == nil)
    try typed.validate(.make(200, "image/png"), data: Data())
  }

  @Test(.covers("RES-V5"))
  func `an error about the content type has the response and its body`() {
    let error = failure { try typed.validate(.make(200, "image/png; x=y"), data: body) }
    #expect(error?.code == .unacceptableContentType)
    #expect(error?.message == "Request failed: unacceptable content-type: image/png")
    #expect(error?.response?.status.code == 200)
    #expect(error?.body == ByteBuffer(string: "text"))
    #expect(error?.phase == .decode)
    #expect(error?.underlying == nil)
  }

  @Test(.covers("RES-V7", "RES-V11"))
  func `an error about the status has the response and its body`() {
    let error = failure { try serializer.validate(.make(404), data: Data()) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.message == "Request failed: not found (404)")
    #expect(error?.response?.status.code == 404)
    #expect(error?.body == ByteBuffer())
  }

  @Test(
    .covers("RES-V11"),
    arguments: [
      (418, "client error"), (599, "server error"), (301, "moved permanently"),
      (503, "service unavailable"), (422, "unprocessable content"), (100, "continue"),
      (199, "informational"), (399, "redirected"), (999, "unknown status"), (299, "success"),
    ])
  func `the phrase of a status is our own`(code: Int, phrase: String) {
    var serializer = serializer
    serializer.acceptableStatusCodes = []
    #expect(
      message { try serializer.validate(.make(code), data: Data()) }
        == "Request failed: \(phrase) (\(code))")
  }

  @Test(.covers("RES-V8", "RES-E1", "RES-E2"))
  func `with both wrong the status is the outer error`() {
    let error = failure { try typed.validate(.make(500, "image/png"), data: body) }
    #expect(error?.code == .unacceptableStatusCode)
    let underlying = error?.underlying as? MartletError
    #expect(underlying?.code == .unacceptableContentType)
    #expect(underlying?.body == ByteBuffer(string: "text"))
  }

  @Test
  func `nil accepts everything`() throws {
    let lax = HTTPResponseSerializer(acceptableStatusCodes: nil)
    try lax.validate(.make(999, "a/b"), data: body)
    #expect(lax.acceptableContentTypes == nil)
  }

  @Test(.covers("T-RES-06", "RES-B2"))
  func `a copy accepts the same and changes alone`() {
    var copy = typed
    #expect(copy == typed)
    copy.acceptableStatusCodes = [204]
    #expect(typed.acceptableStatusCodes?.count == 100)
    #expect(copy != typed)
  }

  @Test(.covers("RES-B1"))
  func `the body is left as it is, even of a response that is not acceptable`() throws {
    #expect(try serializer.serialize(.make(200), data: body) == body)
    let error = failure { try serializer.serialize(.make(404), data: body) }
    #expect(error?.object as? Data == body)
  }
}
