import Foundation
import Martlet
import SpecificationCoverage
import Testing

/// Names of parts and files that are more than letters.
@Suite(.timeLimit(.minutes(5)))
struct MultipartNameTests {
  @Test(
    .covers("REQ-M10"),
    arguments: [
      ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("100%", "100%"), ("a\\b", "a\\b"),
      ("über 🐦", "über 🐦"), ("", ""), ("a\0b", "a%00b"), ("a;b", "a;b"), ("a\tb", "a\tb"),
    ])
  func `names are escaped as browsers do it`(name: String, written: String) async throws {
    let text = try await form { form in
      try form.append(fileData: Data(), name: name, fileName: name, mimeType: "a/b")
      form.append(text: "", name: name)
    }.text()
    #expect(text.contains("form-data; name=\"\(written)\"; filename=\"\(written)\"\r\n"))
    #expect(text.contains("form-data; name=\"\(written)\"\r\n"))
  }

  @Test(
    .covers("REQ-M10"),
    arguments: [
      ("über", "%C3%BCber"), ("100%", "100%25"), ("a\"\r\nb", "a%22%0D%0Ab"), ("a b", "a b"),
      ("\u{7F}", "%7F"),
    ])
  func `names are all ASCII when asked`(name: String, written: String) async throws {
    let text = try await form { form in
      form.nameEncoding = .percentEncoded
      form.append(text: "", name: name)
    }.text()
    #expect(text.contains("name=\"\(written)\"\r\n"))
  }

  @Test(.covers("REQ-M12"))
  func `a line break in a media type is refused`() {
    let error = failure {
      try form {
        try $0.append(fileData: Data(), name: "a", fileName: "a", mimeType: "a/b\r\nX: y")
      }
    }
    #expect(error?.code == .invalidHeader)
    #expect(
      error?.message
        == "The value of the header “Content-Type” holds a line break or another control character, or begins or ends with a blank: remove it."
    )
  }
}
