import Foundation
import HTTPTypes
import Testing

@testable import MartletCore

/// The header fields of a request that asks for compression.
struct CompressionFieldTests {
  private let field = HTTPField(name: .acceptEncoding, value: "gzip, deflate")

  private func request() throws -> Request {
    var request = try Request("http://example.com/", headers: [.accept: "*/*"])
    request.askForCompression()
    return request
  }

  @Test
  func `the field for compression follows the others, which the request as it was made shares`()
    throws
  {
    let plain = try Request("http://example.com/", headers: [.accept: "*/*"])
    var request = plain
    request.askForCompression()
    #expect(Array(request.headers) == [HTTPField(name: .accept, value: "*/*"), field])
    #expect(request.ownHeaders == plain.headers)
    #expect(request.parts === plain.parts)
    #expect(plain.headers[.acceptEncoding] == nil)
    #expect(request.curlCommand().contains("Accept-Encoding"))
  }

  @Test func `a change of the fields finds and keeps the field for compression`() throws {
    var request = try request()
    request.headers[.accept] = "text/plain"
    request.headers.append(HTTPField(name: .userAgent, value: "tern"))
    #expect(
      Array(request.headers) == [
        HTTPField(name: .accept, value: "text/plain"), field,
        HTTPField(name: .userAgent, value: "tern"),
      ])
    request.headers[.acceptEncoding] = nil
    #expect(request.headers[.acceptEncoding] == nil)
  }

  @Test func `fields that take the place of all others take that of the field for compression`()
    throws
  {
    var request = try request()
    request.headers = [.accept: "text/plain"]
    #expect(request.headers == [.accept: "text/plain"])
  }

  @Test func `to ask twice sends the field once`() throws {
    var request = try request()
    request.askForCompression()
    #expect(request.headers[values: .acceptEncoding] == ["gzip, deflate"])
    request.mergeCompressionField()
    request.mergeCompressionField()
    #expect(request.ownHeaders[values: .acceptEncoding] == ["gzip, deflate"])
  }

  @Test func `a response and a call keep the field for compression`() throws {
    let request = try request()
    let response = Response(
      head: ResponseHead(status: .ok), to: request, body: .empty, metrics: ExchangeMetrics())
    #expect(response.request?.headers == request.headers)
    let call = Call()
    call.observe { _ in }
    call.beginAttempt(request)
    #expect(call.request?.headers == request.headers)
  }
}
