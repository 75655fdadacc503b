import Foundation
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EchoTests {
  @Test func `a GET comes back with its arguments, headers and URL`() async throws {
    let server = try await LoopbackServer.start()
    let json = try await server.fetch("GET /get?a=1&b=x%20y&a=2&c=", ["x-my-thing: 7"]).json
    #expect(json["args"] as? NSDictionary == ["a": ["1", "2"], "b": "x y", "c": ""])
    #expect((json["headers"] as? [String: String])?["X-My-Thing"] == "7")
    #expect(json["url"] as? String == "http://test:80/get?a=1&b=x%20y&a=2&c=")
    #expect(json["origin"] as? String == "127.0.0.1")
  }

  @Test func `repeated headers are joined by commas`() async throws {
    let server = try await LoopbackServer.start()
    let json = try await server.fetch("GET /headers", ["X-A: 1", "x-a: 2"]).json
    #expect((json["headers"] as? [String: String])?["X-A"] == "1,2")
  }

  @Test(arguments: ["POST /post", "PUT /put", "PATCH /patch", "DELETE /delete"])
  func `a form comes back as form`(line: String) async throws {
    let server = try await LoopbackServer.start()
    let json = try await server.fetch(
      line, ["Content-Type: application/x-www-form-urlencoded"], body: "a=b+c&d=%26&d=e"
    ).json
    #expect(json["form"] as? NSDictionary == ["a": "b c", "d": ["&", "e"]])
    #expect(json["data"] as? String == "")
    #expect(json["json"] is NSNull)
  }

  @Test func `JSON comes back as text and as JSON`() async throws {
    let server = try await LoopbackServer.start()
    let body = #"{"name":"Ada","n":[1,null]}"#
    let json = try await server.fetch("POST /post", ["Content-Type: application/json"], body: body)
      .json
    #expect(json["data"] as? String == body)
    #expect(json["json"] as? NSDictionary == ["name": "Ada", "n": [1, NSNull()]])
  }

  @Test func `JSON that is none comes back as text only`() async throws {
    let server = try await LoopbackServer.start()
    let json = try await server.fetch("POST /post", body: "{1e999").json
    #expect(json["data"] as? String == "{1e999")
    #expect(json["json"] is NSNull)
  }

  @Test func `a multipart form comes back as form and files`() async throws {
    let server = try await LoopbackServer.start()
    let body = [
      "preamble", "--b;d", "Content-Disposition: form-data; name=\"album\"", "", "june", "--b;d",
      "content-disposition: form-data; name=\"photo\"; filename=\"a \\\"b\\\".txt\"",
      "Content-Type: text/plain", "", "two\r\nlines", "--b;d--", "",
    ].joined(separator: "\r\n")
    let json = try await server.fetch(
      "POST /post", ["Content-Type: multipart/form-data; boundary=\"b;d\""], body: body
    ).json
    #expect(json["form"] as? NSDictionary == ["album": "june"])
    #expect(json["files"] as? NSDictionary == ["photo": "two\r\nlines"])
  }

  @Test(arguments: ["--b", "--b\r\n", "--b\r\n\r\n--b--", "--b\r\nX: y\r\n--b", "", "--b--\r\n--b"])
  func `a broken multipart form is an empty one`(body: String) async throws {
    let server = try await LoopbackServer.start()
    let response = try await server.fetch(
      "POST /post", ["Content-Type: multipart/form-data; boundary=b"], body: body)
    #expect(response.status == 200)
    #expect(try response.json["form"] as? NSDictionary == [:])
  }

  @Test func `anything is answered under any path and method`() async throws {
    let server = try await LoopbackServer.start()
    let json = try await server.fetch("PROPFIND /anything/a/b?c=d").json
    #expect(json["method"] as? String == "PROPFIND")
    #expect(json["args"] as? NSDictionary == ["c": "d"])
  }

  @Test func `the small facts about a client have routes of their own`() async throws {
    let server = try await LoopbackServer.start()
    #expect(try await server.fetch("GET /ip").json == ["origin": "127.0.0.1"])
    let agent = try await server.fetch("GET /user-agent", ["User-Agent: tern/1"]).json
    #expect(agent == ["user-agent": "tern/1"])
  }

  @Test func `the wrong method is refused with the right ones`() async throws {
    let server = try await LoopbackServer.start()
    let response = try await server.fetch("POST /get", body: "x")
    #expect(response.status == 405)
    #expect(response["Allow"] == "GET, HEAD, OPTIONS")
    #expect(try await server.fetch("OPTIONS /get").status == 200)
  }

  @Test func `an unknown path is not found`() async throws {
    let server = try await LoopbackServer.start()
    #expect(try await server.fetch("GET /gett").status == 404)
    #expect(try await server.fetch("GET /get/").status == 404)
  }

  @Test func `a request to a proxy is answered like one to the server itself`() async throws {
    let server = try await LoopbackServer.start()
    let json = try await server.fetch("GET http://test:80/get?a=b").json
    #expect(json["url"] as? String == "http://test:80/get?a=b")
  }
}
