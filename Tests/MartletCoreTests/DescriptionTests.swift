import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

/// What describes itself keeps secrets to itself.
struct DescriptionTests {
  private let url = "https://zoe:pass@word@h/?q=1"
  private let fields: HTTPFields = [
    .accept: "text/plain", .authorization: "Basic pass", .proxyAuthorization: "Basic pass",
    .cookie: "id=pass", .setCookie: "id=pass", .location: "https://zoe:pass@h/",
  ]
  private static let masked =
    "[Accept: text/plain, Authorization: ***, Proxy-Authorization: ***, Cookie: ***, Set-Cookie: ***, Location: https://***@h/]"

  private var request: Request {
    get throws {
      let url = try #require(URL(string: url.replacing("pass@word", with: "pass")))
      return Request(.post, url: url, headers: fields, body: .text("hello"))
    }
  }

  private var head: ResponseHead { ResponseHead(status: .ok, headers: fields) }

  /// Every way in which a value becomes text.
  private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), dumped, "\([value])"]
  }

  private func expectNoSecrets(in value: Any) {
    for text in texts(of: value) {
      #expect(!text.contains("pass"))
      #expect(!text.contains("zoe"))
    }
  }

  @Test func `the description of a call shows its progress`() {
    let call = Call()
    call.report(.bodyReceived(bytes: 12, total: 40))
    #expect(call.description == "<Call: sent 0 bytes, received 12 of 40 bytes>")
    call.suspend()
    #expect(call.description == "<Call: sent 0 bytes, received 12 of 40 bytes, suspended>")
  }

  @Test func `a request masks what is secret`() throws {
    let request = try request
    #expect("\(request)" == "<Request: POST https://***@h/?q=1 \(Self.masked), 5 bytes>")
    #expect("\(try Request(.get, "http://h/"))" == "<Request: GET http://h/>")
    let chunks = RequestBody.producer(length: nil) { _ in }
    #expect(
      "\(try Request(.put, "http://h/", body: chunks))"
        == "<Request: PUT http://h/, a body of unknown length>")
    expectNoSecrets(in: request)
  }

  @Test func `a response masks what is secret`() throws {
    #expect("\(head)" == "<ResponseHead: 200 OK \(Self.masked)>")
    #expect("\(ResponseHead(status: .notFound))" == "<ResponseHead: 404 Not Found>")
    let completion = ResponseBody.Completion(trailers: fields)
    var response = Response(
      head: head, url: try request.url,
      body: ResponseBody(bytes: ByteBuffer(string: "abc"), completion: completion))
    #expect(
      "\(response)" == "<Response: 200 OK \(Self.masked) from https://***@h/?q=1, 3 bytes>")
    expectNoSecrets(in: head)
    expectNoSecrets(in: response)
    response.body = ResponseBody(file: URL(fileURLWithPath: "/tmp/x"))
    #expect("\(response.body)" == "the file /tmp/x")
  }

  @Test func `an event masks what is secret`() throws {
    let request = try request
    let connection = ConnectionInfo(
      protocolName: "h2", localAddress: nil, remoteAddress: nil, resolveDuration: nil,
      connectDuration: .zero,
      tlsDuration: nil, tlsVersion: nil)
    for (event, text) in [
      (.queued, "queued"), (.resolving(host: "h"), "resolving(h)"),
      (.resolved(host: "h", addresses: ["1:80", "2:80"]), "resolved(h: 1:80, 2:80)"),
      (.connecting(address: "1:80"), "connecting(1:80)"),
      (.connected(address: "1:80"), "connected(1:80)"), (.securing(host: "h"), "securing(h)"),
      (.secured(host: "h"), "secured(h)"),
      (.sending(request, over: nil, isConnectionReused: false), "sending(\(request))"),
      (
        .sending(request, over: connection, isConnectionReused: false),
        "sending(\(request), over h2 on a new connection)"
      ),
      (
        .sending(request, over: connection, isConnectionReused: true),
        "sending(\(request), over h2 on an open connection)"
      ),
      (.bodySent(bytes: 3, total: 10), "bodySent(3 of 10 bytes)"), (.requestSent, "requestSent"),
      (.informationalResponse(head), "informationalResponse(\(head))"),
      (.responseReceived(head), "responseReceived(\(head))"),
      (.bodyReceived(bytes: 3, total: nil), "bodyReceived(3 bytes)"),
      (.redirecting(to: request.url), "redirecting(to https://***@h/?q=1)"),
      (
        .attemptFinished(ExchangeMetrics(totalDuration: .milliseconds(12))),
        "attemptFinished(after 12 ms)"
      ),
      (.attemptFailed(.cancelled), "attemptFailed(The request was cancelled.)"),
    ] as [(CallEvent.Kind, String)] {
      #expect("\(event)" == text)
      expectNoSecrets(in: event)
    }
  }

  @Test func `an error keeps the secrets of what it carries`() throws {
    var error = MartletError.cancelled
    error.request = try request
    error.response = head
    error.underlying = error
    #expect(String(reflecting: error).hasPrefix("The request was cancelled. [cancelled]\n> "))
    expectNoSecrets(in: error)
  }

  @Test func `a field that may not be indexed is masked, whatever its name`() throws {
    var field = try HTTPField(validating: "X-Key", value: "pass")
    #expect(field.masked == "X-Key: pass")
    field.indexingStrategy = .disallow
    #expect(field.masked == "X-Key: ***")
  }

  /// Text of a server may be of any length.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "//" + String(repeating: ":", count: 200_000), String(repeating: "//a:b", count: 60_000),
      String(repeating: "/", count: 200_000) + "@",
      "//" + String(repeating: ":1/@ ", count: 60_000),
    ])
  func `text that is no URL is masked in one pass`(text: String) {
    #expect(text.masked.unicodeScalars.count <= 201 * 8)
  }

  @Test func `several URLs in one text are masked each`() {
    let text = "from http://a:b@h/ to ftp://c:d/e@h"
    #expect(text.masked == "from http://***@h/ to ftp://***@h")
  }

  @Test func `a password with an at sign is masked whole`() {
    #expect(url.masked == "https://***@h/?q=1")
    #expect("http://h/?mail=zoe@h".masked == "http://h/?mail=zoe@h")
    #expect("http://h/@a".masked == "http://h/@a")
  }

  @Test(arguments: ["se/cret", "se?cret", "se#cret", "12x/3", "a:b/c", "se/c@ret"])
  func `a password that a URL cannot hold is masked whole`(password: String) {
    let error = #expect(throws: MartletError.self) {
      try Request(.get, "http://zoe:\(password)@h/x").origin
    }
    #expect(error?.message.contains("“http://***@h/x”") == true)
  }

  @Test(arguments: [
    "http://h:80/@a", "http://h:/@a", "http://h:80?a@b", "http://h:80", "http://[::1]/@a",
    "http://[::1]:80/a:b@c", "http://h/a:b@c",
  ])
  func `a URL without a password is left as it is`(url: String) {
    #expect(url.masked == url)
  }
}
