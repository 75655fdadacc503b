import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials

/// How the changes of several writers to a file are merged.
struct CookieMergeTests {
  private static let now = CookieCase.now

  /// Cookies by name and value: `a=1 b=2`, with `!` behind those that have expired.
  private func rows(_ text: String) -> [CookieRow] {
    text.split(separator: " ").compactMap { part in
      let pair = part.split(separator: "=")
      let isOver = pair[1].hasSuffix("!")
      return CookieRow(
        Cookie(
          name: String(pair[0]), value: String(pair[1].prefix { $0 != "!" }), domain: "h",
          expires: Self.now + (isOver ? -10 : 10)))
    }
  }

  @Test(arguments: [
    ("", "", "", "", ""),
    ("", "a=1", "", "a=1", ""),
    ("", "", "a=1", "a=1", "a=1"),
    ("", "a=1", "b=2", "b=2 a=1", "b=2"),
    ("", "a=1", "a=1", "a=1", ""),
    ("", "a=1", "a=2", "a=1", ""),
    ("a=1", "a=1", "a=1", "a=1", ""),
    ("a=1", "a=2", "a=1", "a=2", ""),
    ("a=1", "a=1", "a=2", "a=2", "a=2"),
    ("a=1", "a=2", "a=3", "a=2", ""),
    ("a=1", "", "a=1", "", ""),
    ("a=1", "a=1", "", "", "a="),
    ("a=1", "", "a=2", "", ""),
    ("a=1", "a=2", "", "a=2", ""),
    ("a=1", "", "", "", ""),
    ("a=1!", "", "a=2", "a=2", "a=2"),
    ("a=1!", "", "a=1!", "", ""),
    ("", "", "a=1!", "", ""),
    ("a=1", "a=1", "a=1!", "", "a="),
    ("", "", "a=1 a=2", "a=2", "a=2"),
    ("a=1 b=1 c=1", "a=1 b=2 d=1", "a=2 b=1 c=1 e=1", "a=2 b=2 e=1 d=1", "a=2 e=1"),
  ])
  func `what we have changed counts, and else what they say`(
    known: String, jar: String, file: String, expected: String, news: String
  ) {
    let merge = CookieMerge(
      known: rows(known), jarRows: rows(jar), fileRows: rows(file), at: Self.now)
    #expect(merge.rows.map(\.cookie.pair).joined(separator: " ") == expected)
    let told = merge.changes.map { $0.row?.cookie.pair ?? "a=" }
    #expect(told.sorted().joined(separator: " ") == news)
  }
}
