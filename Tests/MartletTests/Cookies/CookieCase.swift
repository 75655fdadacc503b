import Foundation
import Testing

/// What a response sets, and what a later request has of it.
struct CookieCase: Sendable, CustomTestStringConvertible {
  /// The URL that sets.
  let setting: String
  /// Its `Set-Cookie` fields.
  let fields: [String]
  /// The URL of the request.
  let asking: String
  /// Its `Cookie` field.
  let sent: String?
  /// How many cookies are kept.
  let kept: Int
  /// The seconds between.
  let wait: TimeInterval

  /// A case; unless something else is said, the request goes where the response came from, and every cookie
  /// that is kept is sent.
  init(
    _ setting: String, _ fields: String..., to asking: String? = nil, sends sent: String?,
    keeps kept: Int? = nil, after wait: TimeInterval = 0
  ) {
    self.setting = setting
    self.fields = fields
    self.asking = asking ?? setting
    self.sent = sent
    self.kept = kept ?? sent.map { $0.split(separator: "; ").count } ?? 0
    self.wait = wait
  }

  var testDescription: String {
    let fields = fields.map { $0.count > 80 ? "\($0.prefix(80))… (\($0.utf8.count) bytes)" : $0 }
    return "\(setting) sets \(fields), \(asking) gets \(sent?.prefix(80) ?? "none")"
  }

  /// The host of the cases that can be tried with a server on this machine.
  static let local = "http://127.0.0.1"

  /// The date that the jar takes for now: 2026-01-01.
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  static let all = [syntax, ages, domains, suffixes, paths, order, security].flatMap { $0 }
}
