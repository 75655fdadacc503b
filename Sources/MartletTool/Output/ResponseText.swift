import MartletEssentials
import MartletCore

/// The head of a response: `HTTP/1.1 404 Not Found` and the header fields, in the order of arrival.
enum ResponseText {
  /// The head for reading. Characters that control a terminal are escaped.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - version: The HTTP version of the response; `nil` if it did not come over the network.
  ///   - palette: The colours. The default is none.
  /// - Returns: The lines, without the blank line at the end.
  static func lines(
    _ head: ResponseHead, version: HTTPVersion?, palette: Palette = .plain
  ) -> [String] {
    let line = "\(name(version)) \(status(head))"
    let fields = head.headers.map { field in
      "\(palette.paint(field.name.rawName, .key)): \(field.value.escapingControlCharacters)"
    }
    return [palette.paint(line, colour(of: head.status.code))] + fields
  }

  /// The head with the values of its fields byte for byte, and the blank line at the end.
  static func bytes(_ head: ResponseHead, version: HTTPVersion?) -> [UInt8] {
    let status = status(head, phrase: head.status.reasonPhrase)
    var bytes = Array("\(name(version)) \(status)\n".utf8)
    for field in head.headers {
      bytes += "\(field.name.rawName): ".utf8
      field.withUnsafeBytesOfValue { bytes += $0 }
      bytes += "\n".utf8
    }
    return bytes + "\n".utf8
  }

  /// `404 Not Found`, or `404` if there is no reason phrase. HTTP/2 has no reason phrases (RFC 9113 §8.3.2).
  static func status(_ head: ResponseHead) -> String {
    status(head, phrase: head.status.reasonPhrase.escapingControlCharacters)
  }

  private static func status(_ head: ResponseHead, phrase: String) -> String {
    phrase.isEmpty ? "\(head.status.code)" : "\(head.status.code) \(phrase)"
  }

  private static func name(_ version: HTTPVersion?) -> String { version?.rawValue ?? "HTTP" }

  private static func colour(of code: Int) -> Palette.Colour {
    switch code {
    case ..<300: .good
    case ..<400: .notable
    default: .bad
    }
  }
}
