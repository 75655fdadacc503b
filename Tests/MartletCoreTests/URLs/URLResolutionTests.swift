import Foundation
import MartletCore
import Testing

/// What a relative reference means (RFC 3986 §5.2).
struct URLResolutionTests {
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"),
  ])
  func `the usual examples (§5·4·1)`(reference: String, url: String) throws {
    try expect(reference, at: "http://a/b/c/d;p?q", url)
  }

  @Test(arguments: [
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ])
  func `the unusual examples (§5·4·2)`(reference: String, url: String) throws {
    try expect(reference, at: "http://a/b/c/d;p?q", url)
  }

  @Test(arguments: [
    ("g", "http://a", "http://a/g"), ("?y", "http://a", "http://a?y"),
    ("#s", "http://a?q#f", "http://a?q#s"), ("", "http://a/b#f", "http://a/b"),
    ("g", "http://u:p@a:81/x/y", "http://u:p@a:81/x/g"), ("//b", "http://u:p@a:81/", "http://b"),
    ("//b:/../x", "http://a/", "http://b:/x"), ("https://b/x/../y", "http://a/", "https://b/y"),
    ("//x", "https://a/", "https://x"), ("a//../b", "http://h//c/", "http://h//c/a/b"),
    ("../a//b", "http://h/c/d/", "http://h/c/a//b"), ("./1:2", "http://h/c", "http://h/1:2"),
    ("%2e%2e/x", "http://h/c/d", "http://h/c/%2e%2e/x"),
    ("x", "http+unix://%2Frun%2Fa.sock/c", "http+unix://%2Frun%2Fa.sock/x"),
    ("a|b%20c?d[]%5B", "http://h/c%20d/", "http://h/c%20d/a%7Cb%20c?d%5B%5D%5B"),
    ("//bücher.example/%20é", "http://h/", "http://xn--bcher-kva.example/%20%C3%A9"),
    ("..\u{338}/x", "http://h/a/b", "http://h/a/..%CC%B8/x"),
  ])
  func `more of them`(reference: String, base: String, url: String) throws {
    try expect(reference, at: base, url)
  }

  private func expect(_ reference: String, at base: String, _ url: String) throws {
    let base = try #require(URL(string: base))
    #expect(try URL(escaping: reference, relativeTo: base).absoluteString == url)
  }
}
