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
  ])
  func `a pattern means its hosts and no others`(pattern: String, host: String, matches: Bool) {
    #expect(HostPattern(pattern).matches(host) == matches)
  }

  @Test func `of several patterns the closest counts`() {
    let patterns: [HostPattern] = [
      "**.com", "**.example.com", "*.example.com", "www.example.com",
    ]
    #expect(HostPattern.closest(to: "www.example.com", among: patterns) == "www.example.com")
    #expect(HostPattern.closest(to: "api.example.com", among: patterns) == "*.example.com")
    #expect(HostPattern.closest(to: "a.b.example.com", among: patterns) == "**.example.com")
    #expect(HostPattern.closest(to: "example.org", among: patterns) == nil)
  }

  @Test func `a pattern is archived as its text`() throws {
    let patterns: [HostPattern] = ["example.com", "*.example.com", "**.example.com"]
    let data = try JSONEncoder().encode(patterns)
    #expect(String(decoding: data, as: UTF8.self).contains("**.example.com"))
    #expect(try JSONDecoder().decode([HostPattern].self, from: data) == patterns)
  }
}
