import Foundation
import MartletCore
import Testing

/// Which hosts a pattern means.
struct HostPatternTests {
  @Test(arguments: [
    ("example.com", "example.com", true), ("Example.COM", "example.com.", true),
    ("example.com", "www.example.com", false), ("*.example.com", "www.example.com", true),
    ("*.example.com", "example.com", false), ("*.example.com", "a.b.example.com", false),
    ("*.example.com", ".example.com", false), ("**.example.com", "example.com", true),
    ("**.example.com", "a.b.example.com", true), ("**.example.com", "badexample.com", false),
    ("*.example.com", "badexample.com", false), ("127.0.0.1", "127.0.0.1", true),
    ("2001:DB8::1", "2001:db8::1", true), ("my_host", "my_host", true),
    ("fe80::1%eth0", "fe80::1%eth0", true),
    ("bücher.example", "xn--bcher-kva.example", true),
    ("*.bücher.example", "www.xn--bcher-kva.example", true),
  ])
  func `a pattern means its hosts and no others`(pattern: String, host: String, matches: Bool)
    throws
  {
    #expect(try HostPattern(pattern).matches(host) == matches)
    #expect(HostPattern(stringLiteral: pattern).matches(host) == matches)
  }

  @Test(arguments: [
    "", "*", "*.", "**.", ".", ".example.com", "a..example.com", "https://example.com",
    "example.com:443", "[::1]", "example.com/v1", "ada@example.com", "*.*.example.com",
    "api.*.com", "*example.com", "an example", "abcd:443", "%61.example",
  ])
  func `a text that no host can match is an error, and as a literal has a problem`(text: String) {
    let literal = HostPattern(stringLiteral: text)
    #expect(!literal.matches(text))
    #expect(literal.problem?.code == .invalidHostPattern)
    #expect {
      try HostPattern(text)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidHostPattern
        && error?.message
          == "“\(text.masked)” is not a host pattern: it must read example.com, *.example.com or **.example.com, without scheme, port or path."
    }
  }

  @Test func `of several patterns the closest counts`() {
    let patterns: [HostPattern] = [
      "**.com", "**.example.com", "*.example.com", "www.example.com",
    ]
    #expect(HostPattern.mostSpecific(for: "www.example.com", among: patterns) == "www.example.com")
    #expect(HostPattern.mostSpecific(for: "api.example.com", among: patterns) == "*.example.com")
    #expect(HostPattern.mostSpecific(for: "a.b.example.com", among: patterns) == "**.example.com")
    #expect(HostPattern.mostSpecific(for: "example.org", among: patterns) == nil)
  }

  @Test func `a pattern is archived as its text`() throws {
    let patterns: [HostPattern] = ["example.com", "*.example.com", "**.example.com"]
    let data = try JSONEncoder().encode(patterns)
    #expect(String(decoding: data, as: UTF8.self).contains("**.example.com"))
    #expect(try JSONDecoder().decode([HostPattern].self, from: data) == patterns)
  }
}
