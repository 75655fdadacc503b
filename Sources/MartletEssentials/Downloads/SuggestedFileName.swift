public import EssentialFoundation
public import MartletCore

extension ResponseHead {
  /// Returns a file name for the body: the name that the server suggests (`Content-Disposition`, RFC 6266), otherwise
  /// the last component of the URL's path.
  ///
  /// The name is made safe: only the last component of a path is used, leading dots and characters that are not visible
  /// are removed, and of a name of more than 200 bytes only the end is used.
  ///
  /// - Parameter url: The URL of the response.
  /// - Returns: A name that is safe to append to a folder, or `nil` when there is none.
  public func suggestedFileName(from url: URL) -> String? {
    let suggested = headers[.contentDisposition].map(ContentDisposition.init)?.fileName
    let path = url.path(percentEncoded: true)
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last
    let names = [suggested, last?.percentDecoded]
    return names.lazy.compactMap { $0.map(Self.safe) }.first { !$0.isEmpty }
  }

  /// The longest name in bytes. Common file systems accept 255; the rest is for a suffix.
  private static let longestName = 200

  /// Returns a safe name. It checks scalars, not characters: for the file system, a slash with an accent is a slash.
  private static func safe(_ name: String) -> String {
    let parts = name.unicodeScalars.split(whereSeparator: { $0 == "/" || $0 == "\\" })
    let last = parts.last.map(String.init) ?? ""
    let seen = last.unicodeScalars.filter { !hidden.contains($0.properties.generalCategory) }
    let visible = String(String.UnicodeScalarView(seen))
    let end = tail(visible.trimmingBlanks)
    return String(end.unicodeScalars.drop { $0 == "." || $0.properties.isWhitespace })
  }

  /// The categories of characters that a terminal executes or does not show, such as changes of the text direction.
  private static let hidden: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator,
  ]

  /// Returns the last characters that fit, which include the extension.
  private static func tail(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name }
    var tail = String(name.unicodeScalars.suffix(longestName))
    while tail.utf8.count > longestName { tail.removeFirst() }
    return tail
  }
}

/// The field that suggests a file name for a body (RFC 6266 §4).
struct ContentDisposition {
  /// The name as the server wrote it; `filename*` takes precedence over `filename` (§4.3).
  let fileName: String?

  init(_ field: String) {
    let parameters = FieldParameters(field)
    fileName = parameters["filename*"].flatMap(Self.extended) ?? parameters["filename"]
  }

  /// Decodes `UTF-8''na%C3%AFve.txt` (RFC 8187 §3.2), or the same in ISO-8859-1, which RFC 5987 §3.2 also allowed.
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
