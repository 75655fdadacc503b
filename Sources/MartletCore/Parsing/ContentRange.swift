import HTTPTypes

/// Which bytes of the whole a response has (RFC 9110 §14.4).
package struct ContentRange: Equatable {
  /// The bytes that come; `nil` when none of those asked for are there (`bytes */10`).
  package var bytes: Range<Int64>?
  /// How many there are in all, if the server knows.
  package var total: Int64?

  /// Reads `bytes 0-4/10`, `bytes 0-4/*` or `bytes */10`; anything else is none.
  package init?(_ field: String) {
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    if sides[1] != "*" {
      guard let number = Self.number(sides[1]) else { return nil }
      total = number
    }
    guard sides[0] != "*" else { return }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
      last < total ?? .max
    else { return nil }
    bytes = first..<last + 1
  }

  package init?(_ head: ResponseHead) {
    guard let field = head.headers[.contentRange] else { return nil }
    self.init(field)
  }

  /// Whether this can be said of so many bytes in all.
  package func fits(_ length: Int64) -> Bool {
    (total ?? length) == length && (bytes?.upperBound ?? 0) <= length
  }

  /// Digits and nothing else, few enough to be added to.
  private static func number(_ text: Substring) -> Int64? {
    guard text.utf8.count <= 18, text.utf8.allSatisfy(\.isDigit) else {
      return nil
    }
    return Int64(text)
  }
}

/// Whether a response is a part of what was asked for (RFC 9110 §15.3.7).
extension ResponseHead {
  /// Whether the body may be less than the whole.
  ///
  /// A 206 is the whole where it proves to be: `Content-Range` has every byte from the first to the last, and
  /// `Content-Length` announces as many. In other responses `Content-Range` means nothing (§14.4).
  package var isPartial: Bool {
    guard status.code == 206 else { return false }
    guard let range = ContentRange(self), let length = announcedLength else { return true }
    return range.bytes != 0..<length || range.total != length
  }

  /// The length that `Content-Length` announces, where it has a say (RFC 9112 §6.3 #3).
  package var announcedLength: Int64? {
    guard !headers.contains(.transferEncoding), let contentLength, contentLength >= 0 else {
      return nil
    }
    return contentLength
  }

  /// Checks that the body is not a part of what the request asked for as a whole.
  ///
  /// - Throws: `MartletError` with code `.wrongRange` for a part when the request has no `Range`.
  package func checkIsWhole(for request: Request) throws(MartletError) {
    guard !isPartial || request.headers.contains(.range) else { throw .unrequestedPart(self) }
  }
}
