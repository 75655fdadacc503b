import Foundation
import Martlet
import Testing

/// Which redirects are followed, and with what.
struct RedirectPolicyTests {
  private let policy = RedirectPolicy()

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
    (303, "HEAD", "HEAD"), (301, "PUT", "PUT"), (302, "HEAD", "HEAD"), (307, "POST", "POST"),
    (308, "POST", "POST"), (308, "DELETE", "DELETE"),
  ])
  func `the method follows RFC 9110 §15·4`(status: Int, method: String, expected: String) throws {
    let next = try follow(status, method: try #require(HTTPRequest.Method(method)), to: "/next")
    #expect(next?.method.rawValue == expected)
    #expect(next?.body.isEmpty == ["GET", "HEAD"].contains(expected))
    #expect(next?.headers.contains(.contentType) == !["GET", "HEAD"].contains(expected))
  }

  @Test(arguments: [
    ("/next", "http://a.example/next"), ("next", "http://a.example/dir/next"),
    ("?q=1", "http://a.example/dir/page?q=1"), ("//b.example/x", "http://b.example/x"),
    ("https://b.example/", "https://b.example/"),
  ])
  func `a relative location is resolved`(location: String, expected: String) throws {
    #expect(try follow(302, to: location)?.url.absoluteString == expected)
  }

  @Test func `credentials and cookies stay with their origin`() throws {
    #expect(try follow(302, to: "/next")?.headers[.authorization] == "secret")
    for elsewhere in ["http://b.example/", "http://a.example:8080/", "https://a.example/"] {
      let next = try follow(302, to: elsewhere)
      #expect(next?.headers[.authorization] == nil)
      #expect(next?.headers[.cookie] == nil)
      #expect(next?.headers[.proxyAuthorization] == nil)
      #expect(next?.headers[.accept] == "text/plain")
    }
  }

  @Test(
    arguments: [
      ("/next", "http://user:password@a.example/next"),
      ("http://a.example/next", "http://user:password@a.example/next"),
      ("http://other@a.example/next", "http://other@a.example/next"),
      ("http://b.example/next", "http://b.example/next"),
      ("http://other@b.example/next", "http://b.example/next"),
    ])
  func `user information stays with its origin, and a server chooses none for another`(
    location: String, expected: String
  ) throws {
    let request = try Request(.get, "http://user:password@a.example/")
    let head = ResponseHead(status: .found, headers: [.location: location])
    let next = try policy.request(after: head, to: request, count: 0)
    #expect(next?.url.absoluteString == expected)
  }

  @Test func `a field that the caller marked as secret stays with its origin`() throws {
    var request = try Request(.get, "http://a.example/")
    let name = try HTTPField.Name(validating: "X-Ticket")
    var key = HTTPField(name: name, value: "secret")
    key.indexingStrategy = .disallow
    request.headers.append(key)
    let near = ResponseHead(status: .found, headers: [.location: "/next"])
    #expect(try policy.request(after: near, to: request, count: 0)?.headers[name] == "secret")
    let far = ResponseHead(status: .found, headers: [.location: "http://b.example/"])
    #expect(try policy.request(after: far, to: request, count: 0)?.headers[name] == nil)
  }

  @Test(arguments: ["X-Api-Key", "X-Auth-Token", "X-Amz-Security-Token", "Client-Secret"])
  func `so does a field whose name is that of a credential`(text: String) throws {
    var request = try Request(.get, "http://a.example/")
    let name = try HTTPField.Name(validating: text)
    request.headers[name] = "secret"
    let near = ResponseHead(status: .found, headers: [.location: "/next"])
    #expect(try policy.request(after: near, to: request, count: 0)?.headers[name] == "secret")
    let far = ResponseHead(status: .found, headers: [.location: "http://b.example/"])
    #expect(try policy.request(after: far, to: request, count: 0)?.headers[name] == nil)
  }

  @Test(arguments: ["/next", "http://b.example/"])
  func `a key of a cache is for the first URL only`(location: String) throws {
    var request = try Request(.get, "http://a.example/?signature=1")
    request.cacheKey = "a"
    let head = ResponseHead(status: .found, headers: [.location: location])
    let next = try #require(try policy.request(after: head, to: request, count: 0))
    #expect(next.cacheKey == nil)
  }

  @Test(arguments: [(303, true), (307, false)])
  func `trailers are sent again with the body, and dropped with it`(status: Int, isDropped: Bool)
    throws
  {
    var request = try Request(.post, "http://a.example/", body: .text("x"))
    request.trailers = ["X-Sum": "1"]
    let head = ResponseHead(status: .init(code: status), headers: [.location: "/next"])
    let next = try #require(try policy.request(after: head, to: request, count: 0))
    #expect((next.trailers == nil) == isDropped)
  }

  @Test func `a trailer that the caller marked as secret stays with its origin`() async throws {
    var request = try Request(.post, "http://a.example/", body: .text("x"))
    var secret = HTTPField(name: .age, value: "1")
    secret.indexingStrategy = .disallow
    request.trailers = .fields(HTTPFields([secret, HTTPField(name: .eTag, value: "2")]))
    for (location, expected) in [("/next", 2), ("http://b.example/", 1)] {
      let head = ResponseHead(status: .temporaryRedirect, headers: [.location: location])
      let next = try #require(try policy.request(after: head, to: request, count: 0))
      #expect(try await next.trailers?.fields().count == expected)
    }
  }

  @Test(arguments: [200, 300, 304, 305, 306])
  func `other statuses are no redirects`(status: Int) throws {
    #expect(try follow(status, to: "/next") == nil)
  }

  @Test func `a redirect without a location is a response`() throws {
    let request = try Request(.get, "http://h/")
    #expect(try policy.request(after: ResponseHead(status: .found), to: request, count: 0) == nil)
  }

  @Test func `the twenty-first redirect is an error`() throws {
    let head = ResponseHead(status: .found, headers: [.location: "/"])
    let request = try Request(.get, "http://h/")
    #expect(try policy.request(after: head, to: request, count: 19) != nil)
    #expect {
      try policy.request(after: head, to: request, count: 20)
    } throws: { error in
      (error as? MartletError)?.message
        == "There were more than 20 redirects: the server may redirect in a loop."
    }
  }

  @Test func `with a limit of 0 the first redirect is an error`() throws {
    let head = ResponseHead(status: .found, headers: [.location: "/"])
    let request = try Request(.get, "http://h/")
    var strict = policy
    strict.limit = 0
    let error = #expect(throws: MartletError.self) {
      try strict.request(after: head, to: request, count: 0)
    }
    #expect(error?.code == .tooManyRedirects)
    #expect(
      error?.message
        == "The server redirects, and the limit allows no redirects: raise the limit to follow them."
    )
  }

  @Test func `a redirect from https to http is an error unless allowed`() throws {
    let head = ResponseHead(status: .found, headers: [.location: "http://h/"])
    let request = try Request(.get, "https://h/")
    #expect {
      try policy.request(after: head, to: request, count: 0)
    } throws: { error in
      (error as? MartletError)?.message
        == "The server leads from https to “http://h/”, which is not encrypted: set `redirectPolicy.allowsInsecure`, or request that URL directly."
    }
    var lenient = policy
    lenient.allowsInsecure = true
    #expect(try lenient.request(after: head, to: request, count: 0)?.url.scheme == "http")
  }

  @Test func `a body that cannot be sent again stops a 307`() throws {
    let head = ResponseHead(status: .temporaryRedirect, headers: [.location: "/"])
    let body = RequestBody.producer(length: nil, isReplayable: false) { _ in }
    let request = try Request(.post, "http://h/", body: body)
    #expect {
      try policy.request(after: head, to: request, count: 0)
    } throws: { ($0 as? MartletError)?.code == .bodyNotReplayable }
  }

  @Test func `a redirect to another scheme is refused`() throws {
    #expect {
      try follow(302, to: "ftp://h/")
    } throws: { ($0 as? MartletError)?.code == .unsupportedScheme }
  }

  @Test(arguments: ["http+unix://%2Frun%2Fdocker.sock/", "https+unix://%2Frun%2Fx.sock/"])
  func `a redirect into a Unix-domain socket is refused`(location: String) throws {
    #expect {
      try follow(302, to: location)
    } throws: { ($0 as? MartletError)?.code == .unsupportedScheme }
  }

  @Test func `a server on a socket may redirect to itself`() throws {
    let head = ResponseHead(status: .found, headers: [.location: "/next"])
    let request = try Request(.get, "http+unix://%2Frun%2Fapp.sock/")
    let next = try policy.request(after: head, to: request, count: 0)
    #expect(next?.target == "/next")
  }

  private func follow(_ status: Int, method: HTTPRequest.Method = .get, to location: String) throws
    -> Request?
  {
    let headers: HTTPFields = [
      .authorization: "secret", .cookie: "a=1", .proxyAuthorization: "secret",
      .accept: "text/plain", .contentType: "text/plain",
    ]
    let body: RequestBody = method == .get || method == .head ? .empty : .text("body")
    var request = try Request(method, "http://a.example/dir/page", headers: headers, body: body)
    request.headers[.contentType] = body.isEmpty ? nil : "text/plain"
    let head = ResponseHead(
      status: HTTPResponse.Status(code: status), headers: [.location: location])
    return try policy.request(after: head, to: request, count: 0)
  }
}
