import Foundation
import HTTPTypes
import MartletCore
import Testing

/// How text becomes a URL.
struct URLEscapingTests {
  @Test(arguments: URLCase.all)
  func `what RFC 3986 forbids is escaped, and what is escaped stays so`(row: URLCase) throws {
    guard let expected = row.url else {
      let error = #expect(throws: MartletError.self) { try URL(escaping: row.text) }
      #expect(error?.code == .invalidURL)
      return
    }
    #expect(try URL(escaping: row.text).absoluteString == expected)
  }

  @Test(arguments: URLCase.all)
  func `a URL is itself`(row: URLCase) throws {
    guard let url = row.url else { return }
    #expect(try URL(escaping: url).absoluteString == url)
    #expect(URLReference(row.text).text.utf8.elementsEqual(row.text.utf8))
  }

  @Test(arguments: URLCase.all)
  func `the table names others only where they differ`(row: URLCase) {
    #expect(row.browsers != row.url.map { .ask($0) } ?? .refuse)
    #expect(row.curl != row.url.map { .ask($0) } ?? .refuse)
  }

  @Test func `every byte beside an escape leaves it alone, in every component`() throws {
    for byte in UInt8(0)..<0x80 {
      let mark = Character(Unicode.Scalar(byte))
      for (before, after) in [("http://h/%20a", "b%2f"), ("/?%20a", "b%2f"), ("/#%20a", "b%2f")] {
        let text = try URL(escaping: "\(before)\(mark)\(after)").absoluteString
        #expect(text.hasPrefix(before) && text.hasSuffix(after), "\(mark)")
        #expect(!text.contains("%2520"), "\(mark)")
      }
    }
  }

  @Test(arguments: [
    ("", "it is empty"),
    (
      " http://h/",
      "the text before its first colon is not a scheme; put ./ before a path that contains a colon"
    ),
    (
      "12:30",
      "the text before its first colon is not a scheme; put ./ before a path that contains a colon"
    ),
    ("http://h:8a/", "its port is not a number"), ("http://h:８０/", "its port is not a number"),
    ("http://h x/", "its host is not a valid host name"),
    ("http://[::1/", "its host is neither a name nor an IPv6 address in brackets, such as [::1]"),
    (
      "http://[localhost]:1/",
      "its host is neither a name nor an IPv6 address in brackets, such as [::1]"
    ),
    (
      "http://[1::2::3]/",
      "its host is neither a name nor an IPv6 address in brackets, such as [::1]"
    ),
    ("http://::1/", "its host is neither a name nor an IPv6 address in brackets, such as [::1]"),
  ])
  func `what is no URL says why`(text: String, reason: String) {
    let error = #expect(throws: MartletError.self) { try URL(escaping: text) }
    #expect(error?.message == "The URL “\(text)” is not usable: \(reason).")
  }

  @Test(arguments: [
    ("http://h/p?q=a|b%20c", "/p?q=a%7Cb%20c"), ("http://h?q=%zz%20", "/?q=%25zz%20"),
    ("http://h/a/../%2e%2e//b?c?d#e", "/a/../%2e%2e//b?c?d"), ("http://h/?", "/?"),
    ("http://u|%20@h/é", "/%C3%A9"),
  ])
  func `path and query of the URL are asked for byte for byte`(text: String, target: String) throws
  {
    #expect(try Request(.get, text).target == target)
  }

  @Test func `resume data keeps the URL as it is`() throws {
    let url = try URL(escaping: "http://h/[1]%20?q=a|b%20c&d=50%")
    let data = ResumeData(url: url, file: URL(fileURLWithPath: "/tmp/part"))
    let again = try JSONDecoder().decode(ResumeData.self, from: try JSONEncoder().encode(data))
    #expect(again.url.absoluteString == "http://h/%5B1%5D%20?q=a%7Cb%20c&d=50%25")
  }
}

extension URLCase: CustomTestStringConvertible {
  var testDescription: String { text.debugDescription }
}
