import Foundation
import HTTPTypes
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Random fields and files: what is taken keeps its promises.
struct CookieInputTests {
  /// The same numbers in every run.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  /// A text made of pieces that mean something.
  private func text(of pieces: [String], _ dice: inout Dice) -> String {
    (0..<Int.random(in: 1...24, using: &dice)).map { _ in
      pieces.randomElement(using: &dice) ?? ""
    }.joined()
  }

  @Test func `a field that is taken could have been set by hand, and can be sent`() throws {
    var dice = Dice()
    let pieces = [
      "a", "=", ";", " ", "\t", "path", "domain", "max-age", "expires", "secure", "samesite=none",
      "__Host-", "__secure-", "/", ".", "example", "com", "localhost", "-1", "99999999999999999999",
      "6 Nov 2094 10:00:00", "\u{1}", "ä", "\"", "%", "[::1]", ",", ":",
    ]
    let urls = try [
      "http://a.example", "https://localhost/a;b/c", "http://[::1]/", "https://.a/",
      "https://a;b.com/x", "http://127.0.0.1:8080/a//b",
    ].map { try #require(URL(string: $0)) }
    var taken = 0
    for _ in 0..<4000 {
      let field = text(of: pieces, &dice)
      guard let url = urls.randomElement(using: &dice),
        let cookie = try? Cookie(setCookie: field, from: url)
      else { continue }
      let jar = CookieJar()
      try jar.set(cookie)
      if let header = jar.header(for: url) {
        #expect(HTTPField.isValidValue(header), "\(field.debugDescription)")
      }
      taken += 1
    }
    #expect(taken > 100)
  }

  @Test func `a text that is taken is written so that it is read alike`() throws {
    var dice = Dice()
    let pieces = [
      "\t", "\t", "\t", "\n", "\r\n", "#HttpOnly_", "#", "a.example", ".", "TRUE", "FALSE", "/",
      "0",
      "1893456000", "-1.5", "\u{FEFF}", " ", "ä", "name", "\u{301}", "=", "# HTTP Cookie File\n",
      "a.example\tFALSE\t/\tTRUE\t0\ta\t1\n", "#HttpOnly_.b.example\ttrue\t/\tTRUE\t1\ta\t",
    ]
    var taken = 0
    for _ in 0..<4000 {
      let text = text(of: pieces, &dice)
      guard let cookies = try? CookieFile.cookies(in: Data(text.utf8)), !cookies.isEmpty else {
        continue
      }
      let written = CookieFile.encode(cookies)
      let again = try CookieFile.cookies(in: written)
      #expect(again.count == cookies.count, "\(text.debugDescription)")
      #expect(CookieFile.encode(again) == written, "\(text.debugDescription)")
      taken += 1
    }
    #expect(taken > 100)
  }
}
