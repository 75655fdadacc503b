import Foundation
import HTTPTypes
import MartletCore
import Testing

struct FieldParameterTests {
  @Test(
    arguments: [
      ("text/plain", nil), ("text/plain; charset=utf-8", "utf-8"),
      ("text/plain;CHARSET = \"Latin1\" ", "latin1"), ("text/plain; charset", nil),
      ("text/plain; charset=", nil), ("text/plain; charset=\"\"", nil), ("; charset=a", "a"),
      ("a/b; x=\"; charset=no\"; charset=yes", "yes"), ("a/b; charset=one; charset=two", "one"),
      ("a/b; charset=\"u\\tf", "utf"), ("", nil), (";;;=;\"", nil),
    ] as [(String, String?)])
  func `the charset is the parameter of that name`(field: String, charset: String?) {
    var headers = HTTPFields()
    headers[.contentType] = field
    let response = Response(
      head: ResponseHead(status: .ok, headers: headers), url: URL(fileURLWithPath: "/"))
    #expect(response.charset == charset)
  }

  @Test
  func `the value stands before the first semicolon`() {
    #expect(FieldParameters(" Attachment ; a=b").value == "attachment")
    #expect(FieldParameters("a/b")["a"] == nil)
  }

  @Test
  func `long fields take linear time`() {
    let field = String(repeating: ";a=\"\\\\\"", count: 10_000)
    #expect(FieldParameters(field)["a"] == "\\")
  }
}
