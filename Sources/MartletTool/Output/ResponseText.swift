import Martlet

/// The head of a response for people to read.
enum ResponseText {
  /// `HTTP/1.1 404 Not Found` and the header fields, in the order of arrival.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - version: The version of HTTP that it came in; `nil` when no network was involved.
  ///   - palette: The colours.
  /// - Returns: The lines, without the blank one at the end.
  static func lines(
    _ head: ResponseHead, version: HTTPVersion?, palette: Palette = .plain
  ) -> [String] {
    let line = "\(version?.rawValue ?? "HTTP") \(status(head))"
    let fields = head.headers.map { field in
      "\(palette.paint(field.name.rawName, .key)): \(field.value.visible)"
    }
    return [palette.paint(line, colour(of: head.status.code))] + fields
  }

  /// `404 Not Found`, or `404` where there is no phrase: HTTP/2 has none (RFC 9113 §8.3.2).
  static func status(_ head: ResponseHead) -> String {
    let phrase = head.status.reasonPhrase.visible
    return phrase.isEmpty ? "\(head.status.code)" : "\(head.status.code) \(phrase)"
  }

  private static func colour(of code: Int) -> Palette.Colour {
    switch code {
    case ..<300: .good
    case ..<400: .notable
    default: .bad
    }
  }
}

extension String {
  /// The text without characters that a terminal would obey.
  fileprivate var visible: String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .control && scalar != "\t"
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return unicodeScalars.map { isControl($0) ? "\u{FFFD}" : String($0) }.joined()
  }
}
