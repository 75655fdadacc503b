/// `[METHOD] URL [URL …] [ITEM …]`, taken apart.
struct PositionalArguments: Equatable {
  /// The method, in upper case, if one was given.
  var method: String?
  /// The whole URL.
  var url: String
  /// Further URLs, for downloads side by side.
  var more: [String] = []
  var items: [RequestItem]

  /// Takes the first word for a method when it is made of capital letters, or is one of the usual
  /// methods in any case, and a URL follows.
  ///
  /// - Parameters:
  ///   - words: The words of the command line that belong to no option.
  ///   - isURL: Whether a further word is a URL, and no item. The default is whether it has a scheme.
  /// - Throws: `ToolFailure` when there is no URL, or for what is no item.
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
    self.url = URLShorthand.expand(url)
    items = []
    for word in words {
      if isURL(word) {
        more.append(URLShorthand.expand(word))
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
