import EssentialFoundation
import HTTPTypes
import NIOCore
import Testing

@testable import MartletCore

/// What a program prints about an error: what was sent and received, without secrets.
struct ErrorReportTests {
  private func error(
    body: String, type: String = "application/json", answer: String? = nil
  ) throws -> MartletError {
    var request = try Request(
      .post, "https://user:robin@api.example.com/users?token=finch", body: .text(body))
    request.headers[.authorization] = "Bearer tern"
    request.headers[.contentType] = type
    var error = MartletError(.unacceptableStatusCode, "Request failed: unprocessable (422)")
    error.request = request
    error.response = ResponseHead(
      status: .init(code: 422, reasonPhrase: "Unprocessable Content"),
      headers: [.setCookie: "id=wren"])
    error.body = answer.map { ByteBuffer(string: $0) }
    return error
  }

  @Test func `the report of a refused request has what was sent and received`() throws {
    let error = try error(body: #"{"name":"Ada"}"#, answer: "there is\nan Ada")
    #expect(
      error.debugDescription
        == """
        Request failed: unprocessable (422) [unacceptableStatusCode]
        > POST https://***@api.example.com/users?token=***
        > Authorization: ***
        > Content-Type: application/json
        >\u{20}
        > {"name":"Ada"}
        < 422 Unprocessable Content
        < Set-Cookie: ***
        <\u{20}
        < there is
        < an Ada
        """.replacing(">\u{20}\n", with: ">\n").replacing("<\u{20}\n", with: "<\n"))
    #expect(error.description == "Request failed: unprocessable (422)")
  }

  @Test(arguments: [
    (#"{"password": "tern\"x", "a": 1}"#, #"{"password": "***", "a": 1}"#),
    (
      #"{"a":{"client_secret":123},"b":[{"accessToken":null}]}"#,
      #"{"a":{"client_secret":"***"},"b":[{"accessToken":"***"}]}"#
    ),
    (#"{"password":["a","b}"],"c":1}"#, #"{"password":"***","c":1}"#),
    (#"{"token":{"value":"x","more":"y"}}"#, #"{"token":"***"}"#),
    (#"{"a":"password","b":"x"}"#, #"{"a":"password","b":"x"}"#),
    (#"{"password":"tern"#, #"{"password":"***""#), (#"{"password"#, #"{"password"#),
    (#"{"password": "#, #"{"password": "#),
  ])
  func `passwords and tokens in JSON are masked`(body: String, shown: String) throws {
    #expect(SecretText(body, type: "application/problem+json").masked == shown)
    #expect(try error(body: body).debugDescription.contains("> \(shown)"))
  }

  @Test(arguments: [
    ("user=ada&password=te{rn&x=1", "user=ada&password=***&x=1"),
    ("api%5Fkey=1&a=api_key", "api%5Fkey=***&a=api_key"), ("a", "a"), ("", ""),
    ("password=te?r,n'#;x&a=b", "password=***&a=b"), ("a=h?token=tern&b=1", "a=h?token=***&b=1"),
  ])
  func `passwords and tokens in forms are masked`(body: String, shown: String) {
    #expect(SecretText(body, type: "application/x-www-form-urlencoded").masked == shown)
  }

  @Test(arguments: [
    (#" {"token":"tern","n":1}"#, #" {"token":"***","n":1}"#),
    ("user=ada&password=tern", "user=ada&password=***"), ("tern: 1 = 1", "tern: 1 = 1"),
  ])
  func `and in texts without a content type`(body: String, shown: String) {
    #expect(SecretText(body, type: nil).masked == shown)
    #expect(SecretText(body, type: "").masked == shown)
  }

  @Test func `of a type whose secrets cannot be found, only the size is shown`() throws {
    for type in ["multipart/form-data; boundary=x", "application/xml"] {
      let text = try error(body: "password tern", type: type).debugDescription
      #expect(text.contains("> (13 bytes)"))
    }
  }

  @Test(arguments: [
    ("https://h/a?b=1&X-Amz-Signature=tern#c", "https://h/a?b=1&X-Amz-Signature=***#c"),
    ("https://h/cb?state=1&code=tern#x", "https://h/cb?state=1&code=***#x"),
    ("https://h/cb?zip_code=1&error_code=2", "https://h/cb?zip_code=1&error_code=2"),
    ("https://h/cb#access_token=tern&a=b", "https://h/cb#access_token=***&a=b"),
    ("https://h/?q=a?token=tern", "https://h/?q=a?token=***"),
    ("https://h/?token=te?rn&a=b", "https://h/?token=***&a=b"),
    ("https://h/?token=a,b;c'd&a=b#x", "https://h/?token=***&a=b#x"),
    ("https://h/token=1", "https://h/token=1"),
  ])
  func `passwords and tokens in URLs are masked`(url: String, shown: String) throws {
    #expect(try #require(URL(string: url)).masked == shown)
  }

  @Test func `fields with keys and tokens are masked by their names`() throws {
    for name in ["X-Api-Key", "Private-Token", "X-Auth-Token", "X-Goog-Api-Key"] {
      #expect(try HTTPField(validating: name, value: "tern").masked == "\(name): ***")
    }
  }

  @Test func `a long body, and one that is no text, is shown by its size`() throws {
    let long = try error(body: String(repeating: "a", count: 2000)).debugDescription
    #expect(long.contains("> (2000 bytes)"))
    var binary = try error(body: "")
    binary.body = ByteBuffer(bytes: [0xFF, 0xFE])
    #expect(binary.debugDescription.contains("< (2 bytes)"))
  }

  @Test func `control characters of a server do not reach the terminal`() throws {
    #expect(try !error(body: "", answer: "\u{1b}[2J").debugDescription.contains("\u{1b}"))
  }

  @Test func `an error without a request is its message and its code`() {
    let error = MartletError(.cancelled, "The call was cancelled.")
    #expect(String(reflecting: error) == "The call was cancelled. [cancelled]")
  }
}
