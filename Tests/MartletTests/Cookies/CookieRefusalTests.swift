import Foundation
import Martlet
import Testing

/// What is said about cookies that are not taken.
struct CookieRefusalTests {
  @Test(arguments: [
    ("a=secret\u{7}", "The cookie “a” is refused: it holds a control character."),
    ("=", "A cookie without a name is refused: it has neither a name nor a value."),
    (
      "a=secret" + String(repeating: "x", count: 4096),
      "The cookie “a” is refused: its name and value have more than 4096 bytes."
    ),
    (
      "a=secret; domain=ä.example",
      "The cookie “a” is refused: its domain is not in ASCII: internationalised names are written as “xn--…”."
    ),
    (
      "a=secret; domain=example",
      "The cookie “a” is refused: “example” is a public suffix, under which anyone can register a name."
    ),
    (
      "a=secret; domain=b.example",
      "The cookie “a” is refused: its domain is “b.example”, to which “a.example” does not belong."
    ),
    (
      "a=secret; secure",
      "The cookie “a” is refused: it is secure, but was received over an insecure connection."
    ),
    (
      "a=secret; samesite=none",
      "The cookie “a” is refused: with “SameSite=None” it must be secure."
    ),
    (
      "__Secure-a=secret",
      "The cookie “__Secure-a” is refused: with “__Secure-” in its name it must be secure."
    ),
    (
      "__Host-a=secret; path=/",
      "The cookie “__Host-a” is refused: with “__Host-” in its name it must be secure, for one host alone, and have the path “/”."
    ),
    (
      "__Host-a",
      "A cookie without a name is refused: its value must not begin with “__Secure-” or “__Host-”."
    ),
  ])
  func `a field that sets nothing says why, and keeps the value to itself`(
    field: String, sentence: String
  ) throws {
    let url = try #require(URL(string: "http://a.example/"))
    let error = #expect(throws: MartletError.self) { try Cookie(setCookie: field, from: url) }
    #expect(error?.code == .cookieRefused)
    #expect(error?.message == sentence)
  }

  @Test func `only servers set cookies`() throws {
    let url = try #require(URL(string: "file:///tmp/x"))
    let error = #expect(throws: MartletError.self) { try Cookie(setCookie: "a=1", from: url) }
    #expect(
      error?.message == "The cookie “a” is refused: it must come from an http or https URL.")
  }

  @Test(arguments: [
    (Cookie(name: "a", value: "1\r\nX: y", domain: "h"), "it holds a control character"),
    (Cookie(name: "", value: "", domain: "h"), "it has neither a name nor a value"),
    (
      Cookie(name: "a=b", value: "1", domain: "h"),
      "its name holds “=” or “;”, or begins or ends with a blank"
    ),
    (
      Cookie(name: "a ", value: "1", domain: "h"),
      "its name holds “=” or “;”, or begins or ends with a blank"
    ),
    (
      Cookie(name: "a", value: "1; b=2", domain: "h"),
      "its value holds “;”, or begins or ends with a blank"
    ),
    (
      Cookie(name: "a", value: "\t1", domain: "h"),
      "its value holds “;”, or begins or ends with a blank"
    ),
    (
      Cookie(name: "a", value: "1", domain: "http://h"),
      "its domain must be a host name in lower case, or an address"
    ),
    (
      Cookie(name: "a", value: "1", domain: ""),
      "its domain must be a host name in lower case, or an address"
    ),
    (
      Cookie(name: "a", value: "1", domain: "H"),
      "its domain must be a host name in lower case, or an address"
    ),
    (
      Cookie(name: "a", value: "1", domain: ".h"),
      "its domain must be a host name in lower case, or an address"
    ),
    (
      Cookie(name: "a", value: "1", domain: "h", path: "x"),
      "its path must begin with “/”"
    ),
    (
      Cookie(name: "a", value: "1", domain: "com", isHostOnly: false),
      "“com” is a public suffix, under which anyone can register a name"
    ),
    (
      Cookie(name: "__Secure-a", value: "1", domain: "h"),
      "with “__Secure-” in its name it must be secure"
    ),
    (
      Cookie(name: "a", value: String(repeating: "x", count: 4096), domain: "h"),
      "its name and value have more than 4096 bytes"
    ),
  ])
  func `a cookie made by hand is checked when a jar takes it`(cookie: Cookie, reason: String)
    throws
  {
    let jar = CookieJar()
    let error = #expect(throws: MartletError.self) { try jar.set(cookie) }
    #expect(error?.code == .cookieRefused)
    #expect(error?.message.hasSuffix(" is refused: \(reason).") == true)
    #expect(jar.isEmpty)
  }
}
