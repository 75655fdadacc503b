import EssentialFoundation
import MartletCore

/// The text of a Netscape cookie file.
enum CookieText {
  /// The first line of a cookie file.
  static let title = "# Netscape HTTP Cookie File"
  /// The first line in the form of other programs.
  private static let shortTitle = "# HTTP Cookie File"

  /// The reason why a text is not that of a cookie file.
  enum Problem: Error, Equatable {
    /// A line, counted from 1, is neither a cookie nor a comment.
    case line(Int)
    /// There are only comments, and the first line is not the title: it is a file of another kind.
    case title

    /// The number of the invalid line.
    var line: Int {
      switch self {
      case .line(let number): number
      case .title: 1
      }
    }
  }

  /// Returns the rows of a file's bytes, in order.
  static func rows(in data: Data, at now: Date) throws(Problem) -> [CookieRow] {
    var rows: [CookieRow] = []
    var (hasTitle, hasComments) = (false, false)
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      let isEnded = bytes.last == UInt8(ascii: "\r")
      guard let text = String(validating: isEnded ? bytes.dropLast() : bytes, as: UTF8.self) else {
        throw .line(index + 1)
      }
      // Some editors on Windows put a byte-order mark at the beginning of a text.
      let line = index == 0 && text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
      if line.allSatisfy(\.isWhitespace) { continue }
      if line.utf8.first == UInt8(ascii: "#"), !CookieRow.hasHTTPOnlyPrefix(line) {
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

  /// Returns the bytes of a file with these rows.
  static func data(_ rows: [CookieRow]) -> Data {
    let head = "\(title)\n# Written by Martlet: cookies are kept, other comments are not.\n\n"
    return Data((head + rows.map { $0.line + "\n" }.joined()).utf8)
  }
}

/// A line of a Netscape cookie file, with its cookie.
///
/// It has seven fields, separated by tabs: domain, whether subdomains are included, path, whether it is secure, the
/// expiry date in seconds since 1970 (0 for a session cookie), name, and value. curl and others write the attribute
/// `HttpOnly` as the prefix `#HttpOnly_`.
struct CookieRow: Equatable, Sendable {
  let cookie: Cookie
  /// The line as this library writes it.
  let line: String

  /// The row of a cookie; `nil` when a field other than the value contains a tab, which the format cannot represent.
  init?(_ cookie: Cookie) {
    let fields = [
      (cookie.isHTTPOnly ? Self.httpOnly : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
      cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
      String(Self.seconds(cookie.expires)), cookie.name, cookie.value,
    ]
    // The value is the last field, so it may contain tabs.
    guard !fields.dropLast().contains(where: { $0.utf8.contains(Self.tab) }) else { return nil }
    self.cookie = cookie
    line = fields.joined(separator: "\t")
  }

  /// The row of a line; `nil` when the line is not a cookie.
  init?(line: Substring, at now: Date) {
    guard !line.utf8.contains(where: \.isForbiddenInCookies) else { return nil }
    let isHTTPOnly = Self.hasHTTPOnlyPrefix(line)
    let bare = isHTTPOnly ? line.utf8.dropFirst(Self.httpOnly.utf8.count) : line.utf8
    var fields = bare.split(separator: Self.tab, maxSplits: 6, omittingEmptySubsequences: false)
      .map(\.text)
    // Some editors remove the tab before an empty value.
    if fields.count == 6 { fields.append("") }
    guard fields.count == 7, let isForAll = Self.flag(fields[1]),
      let isSecure = Self.flag(fields[3]), let expiry = Self.expiry(fields[4])
    else { return nil }
    let domain = fields[0].utf8.first == Self.dot ? String(fields[0].dropFirst()) : fields[0]
    guard Self.isDomain(domain.utf8), fields[2].utf8.first == UInt8(ascii: "/") else { return nil }
    self.init(
      Cookie(
        name: fields[5], value: fields[6], domain: domain.lowercased(), isHostOnly: !isForAll,
        path: fields[2], expires: expiry.date, isSecure: isSecure, isHTTPOnly: isHTTPOnly,
        created: now))
  }

  /// Whether a line that begins with a number sign is a cookie and not a comment.
  static func hasHTTPOnlyPrefix(_ line: Substring) -> Bool { line.utf8.starts(with: httpOnly.utf8) }

  private static let httpOnly = "#HttpOnly_"
  private static let dot = UInt8(ascii: ".")
  private static let tab = UInt8(ascii: "\t")

  private static func isDomain(_ text: String.UTF8View) -> Bool {
    text.allSatisfy { $0 > 0x20 && $0 < 0x80 }
      && text.first.map { $0 != dot && $0 != 0x23 } ?? false
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.uppercased() {
    case "TRUE": true
    case "FALSE": false
    default: nil
    }
  }

  /// An expiry date; `date` is `nil` for a session cookie.
  private struct Expiry {
    var date: Date?
  }

  /// Reads an expiry date. Python writes nothing for a session cookie, and some browser extensions write fractions of a
  /// second.
  private static func expiry(_ text: String) -> Expiry? {
    guard !text.isEmpty else { return Expiry() }
    guard text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }), let seconds = Double(text)
    else { return nil }
    return Expiry(date: seconds == 0 ? nil : Date(timeIntervalSince1970: seconds.rounded(.down)))
  }

  /// Returns whole seconds in the range that other programs can read; 0 for a session cookie. A date never becomes 0.
  private static func seconds(_ date: Date?) -> Int64 {
    guard let seconds = date?.timeIntervalSince1970, !seconds.isNaN else { return 0 }
    return Int64(min(max(seconds, 1), 253_402_300_799))
  }
}
