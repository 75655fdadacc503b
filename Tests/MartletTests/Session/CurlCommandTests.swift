import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import Martlet

/// Requests as commands of curl.
struct CurlCommandTests {
  private static let curl = "/usr/bin/curl"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: curl)))
  func `curl sends the same request as Martlet, in a hundred shapes`() async throws {
    let server = try await ScriptedServer.start(.text("ok"), repeatsLast: true)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("it's \(UUID())")
    try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let api = URLSessionManager()
    let shapes = try Self.shapes(server.url(""), file)
    #expect(shapes.count >= 100)
    for request in shapes {
      let command = request.curlCommand(showsSecrets: true)
      _ = try await api.send(request)
      try await Self.run(command)
      let received = server.receivedRequests.suffix(2).map(SentRequest.init)
      #expect(received.first == received.last, "\(command)")
    }
    #expect(server.receivedRequests.count == 2 * shapes.count)
    await api.shutDown()
    await server.stop()
  }

  /// Each method with each target, and each body and each list of fields with some of them.
  private static func shapes(_ base: URL, _ file: URL) throws -> [Request] {
    let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete, .patch, .options]
    let targets = [
      "/", "/a/b.txt?c=d&e=%20f", "/x/../y/./z", "/[a]{b,c}?d[]=1", "/it's?q='$HOME'", "/a;b=c?",
      "/%2e%2e/secret", "/~tern?=x", "/é?ü=ß",
    ]
    let fields: [HTTPFields] = [
      [.contentType: "text/plain"], [.authorization: "Bearer a'b\"c$d`e`\\"],
      [.cookie: "a=1; b=2", .userAgent: "Tern/1 (it's me)"],
      try HTTPFields(validating: ["X-Empty": ""]),
      [.accept: "*/*", .acceptLanguage: "nl, en;q=0.5"],
      try HTTPFields(validating: ["X-Tab": "tern\ttab"]),
    ]
    let bodies: [RequestBody] = [
      .empty, .text(""), .text("a=b&c=d"), .text("@file"), .text("it's\nmany\n\nlines\n"),
      .text("100 % \\n \"$HOME\" `ls` !"), .text("–ü\u{1F426}"),
      .bytes(ByteBuffer(bytes: Array(UInt8.min...UInt8.max) + Array("07'%".utf8))),
      .bytes(ByteBuffer(string: "\u{0}1")), try .file(at: file),
      try .file(at: file, offset: 99_000),
      try .file(at: file, offset: 7, length: 1000),
    ]
    var shapes: [Request] = []
    func add(
      _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, _ body: RequestBody
    )
      throws
    {
      let url = try URL(escaping: base.absoluteString.trimmingSuffix("/") + target)
      shapes.append(Request(method, url: url, headers: fields, body: body))
    }
    for method in methods { for target in targets { try add(method, target, [:], .empty) } }
    for body in bodies {
      for method in [HTTPRequest.Method.post, .put, .delete] { try add(method, "/b", [:], body) }
    }
    for field in fields {
      try add(.get, "/f", field, .empty)
      try add(.post, "/f", field, .text("x"))
    }
    return shapes
  }

  /// Runs a command, without holding the thread: there may be only one more for the server.
  private static func run(_ command: String) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { _ in continuation.resume() }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    #expect(process.terminationStatus == 0, "\(command)")
  }

  @Test func `secrets are masked unless they are asked for`() throws {
    var request = try Request(
      "https://ada:lovelace@example.com/x?y",
      headers: [.authorization: "Bearer tern", .cookie: "id=tern", .accept: "text/csv"])
    #expect(
      request.curlCommand() == """
        curl --header 'Authorization: ***' --header 'Cookie: ***' --header 'Accept: text/csv' \
        'https://***@example.com/x?y'
        """)
    #expect(
      request.curlCommand(showsSecrets: true).contains("'https://ada:lovelace@example.com/x?y'"))
    request = try Request("http://example.com/x?api_key=tern&q=1&code=tern")
    #expect(request.curlCommand() == "curl 'http://example.com/x?api_key=***&q=1&code=***'")
    #expect(request.curlCommand(showsSecrets: true).contains("api_key=tern&q=1&code=tern"))
    request = try Request(.post, "http://example.com/", body: .text(#"{"password":"tern"}"#))
    request.headers[.contentType] = "application/json"
    #expect(request.curlCommand().contains(#"--data-raw '{"password":"***"}'"#))
    #expect(request.curlCommand(showsSecrets: true).contains("tern"))
    request.headers[.contentType] = nil
    request.headers[.referer] = "https://ada:lovelace@h/?token=tern"
    request.body = .bytes(ByteBuffer(string: "password=tern\r&x=1"))
    #expect(
      request.curlCommand() == """
        curl --header 'Referer: https://***@h/?token=***' --header Content-Type: --data-raw \
        'password=***&x=1' http://example.com/
        """)
    request.body = .bytes(ByteBuffer(string: "{\"password\":\"tern\",\r\n\"n\":1}"))
    #expect(request.curlCommand().contains(#"printf '{"password":"***",\015\012"n":1}' | curl"#))
    for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian] {
      request.body = .data(Data(#"{"password":"tern"}"#.data(using: encoding) ?? Data()))
      for type in ["application/json", nil] {
        request.headers[.contentType] = type
        #expect(request.curlCommand().contains("--data-binary @- "))
        #expect(!request.curlCommand().contains("printf"))
      }
    }
    request.headers[.contentType] = "multipart/form-data; boundary=x"
    #expect(request.curlCommand().contains("--data-binary @- "))
    request = try Request("http://example.com/")
    request.credential = .password(user: "ada", password: "lovelace", for: .digest)
    #expect(request.curlCommand() == "curl --digest --user 'ada:***' http://example.com/")
    request.credential = .bearer("tern")
    #expect(
      request.curlCommand(showsSecrets: true)
        == "curl --header 'Authorization: Bearer tern' http://example.com/")
  }

  @Test
  func `a body that is not in memory or too large for an argument is read from standard input`()
    throws
  {
    let large = Request(
      .post, url: try URL(escaping: "http://h/"), headers: [.contentType: "text/plain"],
      body: .text(String(repeating: "a", count: 65_537)))
    #expect(
      large.curlCommand()
        == "curl --header 'Content-Type: text/plain' --data-binary @- http://h/")
  }

  @Test func `a socket and an address of IPv6 have their options`() throws {
    #expect(
      try Request("http+unix://%2Frun%2Fa%20b.sock/x").curlCommand()
        == "curl --unix-socket '/run/a b.sock' http://localhost/x")
    #expect(
      try Request("http://[::1]:8080/").curlCommand() == "curl --globoff 'http://[::1]:8080/'")
  }
}

/// What a server has received, without what is different for each client.
private struct SentRequest: Equatable {
  let line: String
  let fields: [String]
  let body: ByteBuffer

  init(_ request: ReceivedRequest) {
    line = request.line
    body = request.body
    let own = ["host", "connection", "accept", "expect", "content-length", "transfer-encoding"]
    let others = request.headerLines.filter { line in
      let name = line.prefix { $0 != ":" }.lowercased()
      return !own.contains(name) && !(name == "user-agent" && !line.contains("Tern"))
        && !["accept-encoding", "accept-language"].contains(name)
    }
    fields = others.map { $0.trimmingCharacters(in: .whitespaces) }.sorted()
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
