import Foundation
import HTTPTypes
import MartletCore
import MartletFoundationNetworking
import NIOCore
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The bridges to Foundation's types.
struct BridgeTests {
  @Test func `a request survives the way to URLRequest and back`() throws {
    let fields = try HTTPFields(validating: ["Accept": "text/plain", "X-A": "1"])
    var request = try Request(.put, "http://example.com/a?b=c", headers: fields, body: .text("hi"))
    request.options.timeoutInterval = .seconds(7)
    request.options.shouldHandleCookies = false

    let foundation = try URLRequest(request)
    #expect(foundation.httpMethod == "PUT")
    #expect(foundation.httpBody == Data("hi".utf8))
    #expect(foundation.timeoutInterval == 7)

    let back = try Request(foundation)
    #expect(back.method == .put)
    #expect(back.url == request.url)
    #expect(back.headers[.accept] == "text/plain")
    #expect(back.body.length == 2)
    #expect(back.options == request.options)
  }

  @Test func `fields of one name are joined`() throws {
    let fields = try HTTPFields(validating: ["X-A": "1", "X-A": "2"])
    let foundation = try URLRequest(Request(.get, "http://h/", headers: fields))
    #expect(foundation.value(forHTTPHeaderField: "X-A") == "1,2")
  }

  @Test func `what URLRequest leaves at its default counts as not set`() throws {
    let address = try #require(URL(string: "http://h/"))
    #expect(try Request(URLRequest(url: address)).options == Request.Options())
  }

  @Test func `trailers cannot be held`() throws {
    var request = try Request(.post, "http://h/", body: .text("x"))
    request.trailers = ["X-Sum": "1"]
    #expect {
      try URLRequest(request)
    } throws: { ($0 as? MartletError)?.code == .invalidRequest }
  }

  @Test func `a body that is produced cannot be held`() throws {
    let request = try Request(.post, "http://h/", body: .producer(length: nil) { _ in })
    #expect {
      try URLRequest(request)
    } throws: { ($0 as? MartletError)?.code == .bodyNotReplayable }
  }

  @Test func `a file is a stream when it is whole, and refused when it is a part`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("0123456789".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let whole = try URLRequest(Request(.post, "http://h/", body: .file(at: file)))
    #expect(whole.httpBodyStream != nil)
    for part in [
      try RequestBody.file(at: file, offset: 2), try RequestBody.file(at: file, length: 3),
    ] {
      #expect {
        try URLRequest(Request(.post, "http://h/", body: part))
      } throws: { ($0 as? MartletError)?.code == .bodyNotReplayable }
    }
  }

  @Test func `a body that is an input stream is refused`() throws {
    var request = URLRequest(url: try #require(URL(string: "http://h/")))
    request.httpBodyStream = InputStream(data: Data("hi".utf8))
    #expect {
      try Request(request)
    } throws: { error in
      (error as? MartletError)?.message
        == "The body is an input stream, which can be read only once: set `httpBody`, or give the Martlet request a body of its own."
    }
  }

  @Test(arguments: [Double.infinity, .nan, .greatestFiniteMagnitude, 1e10, -1])
  func `a time-out that is no time counts as not set`(interval: Double) throws {
    var request = URLRequest(url: try #require(URL(string: "http://h/")))
    request.timeoutInterval = interval
    #expect(try Request(request).options.timeoutInterval == nil)
  }

  @Test func `a URLRequest for something else than HTTP is refused`() throws {
    let address = try #require(URL(string: "ftp://h/"))
    #expect {
      try Request(URLRequest(url: address))
    } throws: { error in
      (error as? MartletError)?.message
        == "The scheme “ftp” is not supported: use http or https."
    }
  }

  @Test func `a response's head survives the way to HTTPURLResponse and back`() throws {
    let address = try #require(URL(string: "http://h/"))
    let head = ResponseHead(status: .notFound, headers: [.contentType: "text/plain"])
    let foundation = try #require(Response(head: head, url: address).makeHTTPURLResponse())
    #expect(foundation.statusCode == 404)
    #expect(try ResponseHead(foundation) == head)
  }
}
