import MartletCore

/// The parts of `[METHOD] URL [URL …] [ITEM …]`.
struct PositionalArguments: Equatable {
  /// The method, in upper case, if one was given.
  var method: String?
  /// The complete URL.
  var url: String
  /// Further URLs, for parallel downloads.
  var furtherURLs: [String] = []
  var items: [RequestItem]

  /// Reads the words of a command line.
  ///
  /// The first word is the method if more words follow, and it consists of capital letters or is one of the usual
  /// methods in any case.
  ///
  /// - Parameters:
  ///   - words: The words of the command line that belong to no option.
  ///   - isURL: Whether a word after the first URL is another URL rather than an item. The default is `hasScheme`.
  /// - Throws: `ToolFailure` when there is no URL, or a word is not a valid URL or item.
  init(_ words: [String], isURL: (String) -> Bool = URLShorthand.hasScheme) throws(ToolFailure) {
    var words = words[...]
    if words.count > 1, let first = words.first, Self.isMethod(first) {
      method = first.uppercased()
      words = words.dropFirst()
    }
    guard let url = words.popFirst() else { throw .usage("There is no URL: write one.") }
    guard !words.isEmpty || method != nil || !Self.usual.contains(url) else {
      throw .usage("There is no URL: write one after \(url).")
    }
    self.url = try URLShorthand.expand(url)
    items = []
    for word in words {
      if isURL(word) {
        furtherURLs.append(try URLShorthand.expand(word))
      } else {
        items.append(try RequestItem(word))
      }
    }
  }

  private static let usual: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
  ]

  private static func isMethod(_ word: String) -> Bool {
    usual.contains(word.uppercased()) || word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}

/// URLs in the short forms that users may type.
enum URLShorthand {
  /// The complete URL. `:8080/x` and `:/x` get the host `localhost`, and a URL without a scheme gets `http://`.
  ///
  /// - Throws: `ToolFailure` when neither a port nor a path follows the colon: `localhost` would become a part of
  ///   another name.
  static func expand(_ text: String) throws(ToolFailure) -> String {
    if hasScheme(text) { return text }
    guard text.hasPrefix(":"), !text.hasPrefix("::") else { return "http://" + text }
    let rest = text.dropFirst()
    guard let first = rest.first else { return "http://localhost" }
    if first.isWholeNumber { return "http://localhost:" + rest }
    guard "/?#".contains(first) else {
      throw .usage(
        "“\(text.masked)” is not a URL: write a port or a path after the colon, such as :8080/x or :/x, or leave out the colon."
      )
    }
    return "http://localhost" + rest
  }

  /// Whether a text begins with a scheme (RFC 3986 §3.1) and `://`. A host with a port, such as `localhost:8080`, does
  /// not.
  static func hasScheme(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://") else { return false }
    let scheme = text[..<end.lowerBound]
    let isLetter = { (character: Character) in character.isASCII && character.isLetter }
    guard let first = scheme.first, isLetter(first) else { return false }
    return scheme.allSatisfy { isLetter($0) || $0.isWholeNumber || "+-.".contains($0) }
  }

  /// Whether a text that could be a URL or an item is taken for a URL.
  ///
  /// It is a URL if it has a scheme, begins with a port as `:8080/x` does, or begins with a host that is not likely
  /// to be the name of a field: `localhost`, an address in brackets, a name with a dot, or a host with a port and a
  /// path.
  static func looksLikeURL(_ text: String) -> Bool {
    if hasScheme(text) { return true }
    let authority = text.prefix { !"/?#".contains($0) }
    let host = authority.replacing(/:[0-9]*$/, with: "")
    if host.isEmpty { return !authority.isEmpty }
    if host.hasPrefix("[") { return host.wholeMatch(of: /\[[0-9A-Fa-f:.]+\]/) != nil }
    guard host.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) else {
      return false
    }
    let hasPortAndPath =
      authority.count > host.count + 1 && text[authority.endIndex...].hasPrefix("/")
    return host.lowercased() == "localhost" || host.contains(".") || hasPortAndPath
  }
}
