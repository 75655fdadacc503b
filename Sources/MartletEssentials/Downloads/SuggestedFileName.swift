public import EssentialFoundation
public import MartletCore

extension ResponseHead {
  /// The name under which a body may be kept: the one that the server suggests (`Content-Disposition`,
  /// RFC 6266), else the last component of the URL's path.
  ///
  /// Servers may say what they like: of a path only its last component is taken, and nothing that would
  /// be hidden, or that a terminal would obey.
  ///
  /// - Parameter url: The URL that answered.
  /// - Returns: A name that is safe to append to a folder, or `nil` when neither gives one.
  public func suggestedFileName(from url: URL) -> String? {
    let suggested = headers[.contentDisposition].map(ContentDisposition.init)?.fileName
    let path = url.path(percentEncoded: true)
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last
    let names = [suggested, last?.percentDecoded]
    return names.lazy.compactMap { $0.map(Self.safe) }.first { !$0.isEmpty }
  }

  /// Names of 255 bytes are the longest that common file systems take; this leaves room for a suffix.
  private static let longestName = 200

  /// Judges scalars, not characters: a slash with an accent on it is a slash to the file system.
  private static func safe(_ name: String) -> String {
    let parts = name.unicodeScalars.split(whereSeparator: { $0 == "/" || $0 == "\\" })
    let last = parts.last.map(String.init) ?? ""
    let seen = last.unicodeScalars.filter { !hidden.contains($0.properties.generalCategory) }
    let visible = String(String.UnicodeScalarView(seen))
    let end = tail(visible.trimmingBlanks)
    return String(end.unicodeScalars.drop { $0 == "." || $0.properties.isWhitespace })
  }

  /// What a terminal would obey or not show, such as what turns the direction of a text.
  private static let hidden: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator,
  ]

  /// The last characters that fit, the extension among them.
  private static func tail(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name }
    var tail = String(name.unicodeScalars.suffix(longestName))
    while tail.utf8.count > longestName { tail.removeFirst() }
    return tail
  }
}

/// The field that says what a body is to be called (RFC 6266 §4).
struct ContentDisposition {
  /// The name as the server wrote it; `filename*` wins over `filename` (§4.3).
  let fileName: String?

  init(_ field: String) {
    let parameters = FieldParameters(field)
    fileName = parameters["filename*"].flatMap(Self.extended) ?? parameters["filename"]
  }

  /// `UTF-8''na%C3%AFve.txt` (RFC 8187 §3.2), or the same in ISO-8859-1, which RFC 5987 §3.2 had as well.
  private static func extended(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    switch parts[0].lowercased() {
    case "utf-8": return parts[2].percentDecoded
    case "iso-8859-1":
      let bytes = parts[2].percentDecodedBytes
      return bytes.map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
    default: return nil
    }
  }
}
