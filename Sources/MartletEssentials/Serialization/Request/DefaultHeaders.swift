import EssentialFoundation

/// The initial default headers of every request serializer, computed once per process.
enum DefaultHeaders {
  static let fields: HTTPFields = [
    .accept: "*/*",
    .acceptLanguage: acceptLanguage(preferredLanguages(in: ProcessInfo.processInfo.environment)),
    .userAgent: userAgent(
      program: ProcessInfo.processInfo.processName,
      version: FoundationExtras.current?.programVersion,
      system: ProcessInfo.processInfo.operatingSystemVersionString),
  ]

  /// Returns the languages in order, with weights from 1 down to 0.5, and thus at most six of them (REQ-H2).
  static func acceptLanguage(_ languages: [String]) -> String {
    let weights = ["1", "0.9", "0.8", "0.7", "0.6", "0.5"]
    return zip(languages, weights).map { "\($0);q=\($1)" }.joined(separator: ", ")
  }

  /// Returns the languages that the environment specifies, by the rules of the C library.
  ///
  /// `LANGUAGE` is a list. It is followed by the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set. If none of
  /// these names a language, the result is Foundation's list.
  static func preferredLanguages(in environment: [String: String]) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    // LANGUAGE is ignored with the locale C, as in gettext.
    let names = locale.map { tag($0) == nil } ?? false ? "" : environment["LANGUAGE"] ?? ""
    let tags = (names.split(separator: ":").map(String.init) + [locale ?? ""]).compactMap(tag)
    guard !tags.isEmpty else { return Locale.preferredLanguages }
    return tags.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns the language tag of a locale's name: `de-DE` for `de_DE.UTF-8@euro`, `nil` for `C`.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
    let tag = name.replacing("_", with: "-")
    // The environment may contain any text, but the header needs a language tag (RFC 5646 §2.1).
    return tag.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
      ? String(tag) : nil
  }

  /// Returns `program/version (system)` in plain ASCII (REQ-H3, REQ-H4).
  ///
  /// For a program without a known version, which is usual on Linux, the form is `program Martlet/0.1.0 (system)`.
  static func userAgent(program: String, version: String?, system: String) -> String {
    let name = token(program)
    let product = version.map { "\(name)/\(token($0))" } ?? "\(name) Martlet/\(martletVersion)"
    return "\(product) (\(comment(system)))"
  }

  /// Returns the text as a product's name or version (RFC 9110 §10.1.5).
  private static func token(_ text: String) -> String {
    let bytes = latin(text).utf8.map { $0.isTokenCharacter ? $0 : UInt8(ascii: "-") }
    return bytes.isEmpty ? "unknown" : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text as the content of a comment, without parentheses and backslashes, which have a meaning there (RFC
  /// 9110 §5.6.5).
  private static func comment(_ text: String) -> String {
    latin(text).filter { !"()\\".contains($0) }
  }

  /// Returns the text in Latin letters without accents. Characters that are not printable ASCII are removed.
  private static func latin(_ text: String) -> String {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    // Decomposing separates an accent from an ASCII letter. Only ICU can transliterate other alphabets.
    let letters = isASCII ? text : FoundationExtras.current?.latin(text) ?? text.decomposed
    return String(decoding: letters.utf8.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
  }
}
