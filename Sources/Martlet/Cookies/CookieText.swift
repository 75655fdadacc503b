import Foundation
import MartletCore

/// The text of a Netscape cookie file.
enum CookieText {
  /// What such a file begins with.
  static let title = "# Netscape HTTP Cookie File"
  /// The same as other programs write it.
  private static let shortTitle = "# HTTP Cookie File"

  /// Why a text is none of a cookie file.
  enum Problem: Error, Equatable {
    /// A line, counted from 1, is neither a cookie nor a comment.
    case line(Int)
    /// There are comments alone, and the first line is not the title: it is a file of another kind.
    case title

    /// The line at fault.
    var line: Int {
      switch self {
      case .line(let number): number
      case .title: 1
      }
    }
  }

  /// The rows of a file's bytes, in order.
  static func rows(in data: Data, at now: Date) throws(Problem) -> [CookieRow] {
    var rows: [CookieRow] = []
    var (hasTitle, hasComments) = (false, false)
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      let isEnded = bytes.last == UInt8(ascii: "\r")
      guard let text = String(validating: isEnded ? bytes.dropLast() : bytes, as: UTF8.self) else {
        throw .line(index + 1)
      }
      // Some editors of Windows put a mark in front of a text.
      let line = index == 0 && text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
      if line.allSatisfy(\.isWhitespace) { continue }
      if line.utf8.first == UInt8(ascii: "#"), !CookieRow.isHTTPOnly(line) {
        hasTitle = hasTitle || index == 0 && (line.hasPrefix(title) || line.hasPrefix(shortTitle))
        hasComments = true
        continue
      }
      guard let row = CookieRow(line: line, at: now) else { throw .line(index + 1) }
      rows.append(row)
    }
    guard hasTitle || !hasComments || !rows.isEmpty else { throw .title }
    return rows
  }

  /// The bytes of a file with these rows.
  static func data(_ rows: [CookieRow]) -> Data {
    let head = "\(title)\n# Written by Martlet: cookies are kept, other comments are not.\n\n"
    return Data((head + rows.map { $0.line + "\n" }.joined()).utf8)
  }
}
