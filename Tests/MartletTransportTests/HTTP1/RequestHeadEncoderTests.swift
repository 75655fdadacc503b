import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// What a request looks like on the wire (RFC 9112 §3).
struct RequestHeadEncoderTests {
  @Test func `the host goes first and fields keep order and duplicates`() throws {
    let fields = try HTTPFields(validating: ["X-A": "1", "Accept": "*/*", "X-A": "2"])
    let request = try Request(.get, "http://example.com:8080/a%20b?q=1#part", headers: fields)
    #expect(
      try encode(request)
        == "GET /a%20b?q=1 HTTP/1.1\r\nHost: example.com:8080\r\nX-A: 1\r\nAccept: */*\r\nX-A: 2\r\n\r\n"
    )
  }

  @Test func `a host of the caller's own replaces the URL's`() throws {
    let fields = try HTTPFields(validating: ["Host": "other.example"])
    let request = try Request(.get, "http://127.0.0.1/", headers: fields)
    #expect(try encode(request) == "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n")
  }

  @Test func `cookies go in one field, whatever they were in (RFC 6265 §5·4)`() throws {
    var request = try Request(.get, "http://h/", headers: [.accept: "a"])
    request.headers[.cookie] = "a=1; b=2"
    try request.headers.append(name: "X", value: "y")
    try request.headers.append(name: "cookie", value: "c=3")
    #expect(request.headers[fields: .cookie].count == 3)
    #expect(
      try encode(request)
        == "GET / HTTP/1.1\r\nHost: h\r\nAccept: a\r\nCookie: a=1; b=2; c=3\r\nX: y\r\n\r\n")
  }

  @Test func `a body in memory has a length and an unknown one comes in chunks`() throws {
    let known = try Request(.post, "http://h/", body: .text("abc"))
    #expect(try encode(known).contains("\r\nContent-Length: 3\r\n"))
    let unknown = try Request(.post, "http://h/", body: .producer(length: nil) { _ in })
    #expect(try encode(unknown).contains("\r\nTransfer-Encoding: chunked\r\n"))
  }

  @Test func `compression is asked for behind the caller's fields, and before the length`() throws {
    var request = try Request(.post, "http://h/", headers: [.accept: "a"], body: .text("abc"))
    request.askForCompression()
    #expect(
      try encode(request)
        == "POST / HTTP/1.1\r\nHost: h\r\nAccept: a\r\nAccept-Encoding: gzip, deflate\r\n"
        + "Content-Length: 3\r\n\r\n")
  }

  @Test func `a method that expects a body says when there is none (RFC 9110 §8.6)`() throws {
    #expect(try encode(Request(.post, "http://h/")).contains("Content-Length: 0\r\n"))
    #expect(try !encode(Request(.get, "http://h/")).contains("Content-Length"))
    #expect(try !encode(Request(.delete, "http://h/")).contains("Content-Length"))
  }

  @Test func `the caller cannot frame the body against the engine`() throws {
    let fields = try HTTPFields(validating: [
      "Content-Length": "99", "Transfer-Encoding": "chunked",
    ])
    let text = try encode(Request(.post, "http://h/", headers: fields, body: .text("abc")))
    #expect(text == "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
  }

  @Test(arguments: ["bé:1", "b :1", "b\t:1"])
  func `a target that is not visible ASCII is an error`(target: String) throws {
    // The target of other methods comes from a URL, which has ASCII only.
    var request = try Request(.connect, "http://h/")
    request.headers[.host] = target
    let error = #expect(throws: MartletError.self) { try RequestHeadEncoder.check(request) }
    #expect(error?.code == .invalidRequest)
  }

  @Test func `what is for a proxy is sent to proxies only (RFC 9110 §11·7·2)`() throws {
    let fields: HTTPFields = [.proxyAuthorization: "Basic tern", .accept: "a"]
    let request = try Request("http://h/", headers: fields)
    #expect(try encode(request) == "GET / HTTP/1.1\r\nHost: h\r\nAccept: a\r\n\r\n")
    let tunnel = try Request(.connect, "http://h/", headers: fields + [.host: "b:1"])
    #expect(try encode(tunnel).contains("\r\nProxy-Authorization: Basic tern\r\n"))
  }

  @Test func `the server's leave is asked only for a body`() throws {
    var request = try Request(.post, "http://h/", body: .text("abc"))
    request.options.expectsContinue = true
    #expect(try encode(request).contains("Expect: 100-continue\r\n"))
    request.body = .empty
    #expect(try !encode(request).contains("Expect"))
  }

  @Test(arguments: [0, 400, 471, 472, 473, 474, 475, 476, 477, 478, 1000, 100_000])
  func `a head of any length is written whole`(length: Int) throws {
    var request = try Request("http://h/")
    let value = String(repeating: "v", count: length)
    request.headers[.accept] = value
    let head = try encode(request)
    #expect(head == "GET / HTTP/1.1\r\nHost: h\r\nAccept: \(value)\r\n\r\n")
  }

  private func encode(_ request: Request) throws -> String {
    try RequestHeadEncoder.check(request)
    var buffer = ByteBuffer()
    RequestHeadEncoder.encode(request, authority: try request.origin.authority, into: &buffer)
    return String(buffer: buffer)
  }
}
