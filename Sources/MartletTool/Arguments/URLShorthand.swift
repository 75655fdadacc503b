/// A URL as people type it.
enum URLShorthand {
  /// The whole URL: `:8080/x` and `:/x` are on this machine, and what has no scheme gets `http://`.
  static func expand(_ text: String) -> String {
    if hasScheme(text) { return text }
    guard text.hasPrefix(":"), !text.hasPrefix("::") else { return "http://" + text }
    let rest = text.dropFirst()
    let hasPort = rest.first?.isWholeNumber ?? false
    return "http://localhost" + (hasPort ? ":" : "") + rest
  }

  /// RFC 3986 §3.1; a host with a port, such as `localhost:8080`, is no scheme.
  private static func hasScheme(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://") else { return false }
    let scheme = text[..<end.lowerBound]
    let isLetter = { (character: Character) in character.isASCII && character.isLetter }
    guard let first = scheme.first, isLetter(first) else { return false }
    return scheme.allSatisfy { isLetter($0) || $0.isWholeNumber || "+-.".contains($0) }
  }
}
