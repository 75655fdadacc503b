import HTTPTypes

/// The value of a `Content-Range` field (RFC 9110 §14.4).
package struct ContentRange: Equatable {
  /// The range of bytes in the response; `nil` if the requested range does not exist (`bytes */10`).
  package var bytes: Range<Int64>?
  /// The total number of bytes, if the server knows it.
  package var total: Int64?

  /// Parses `bytes 0-4/10`, `bytes 0-4/*` or `bytes */10`, and also `bytes */*`; returns `nil` for any other text.
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

  /// Whether the range is possible for a total of `length` bytes.
  package func fits(_ length: Int64) -> Bool {
    (total ?? length) == length && (bytes?.upperBound ?? 0) <= length
  }

  /// Parses a number of at most 18 digits, so that adding to it cannot overflow.
  private static func number(_ text: Substring) -> Int64? {
    guard text.utf8.count <= 18, text.utf8.allSatisfy(\.isDigit) else {
      return nil
    }
    return Int64(text)
  }
}

/// Partial responses (RFC 9110 §15.3.7).
extension ResponseHead {
  /// Whether the body may be only a part of the content.
  ///
  /// A response of status 206 is complete if `Content-Range` contains all bytes and `Content-Length` announces the same
  /// number. In a response with another status, `Content-Range` does not describe the body (§14.4).
  package var isPartial: Bool {
    guard status.code == 206 else { return false }
    guard let range = ContentRange(self), let length = announcedLength else { return true }
    return range.bytes != 0..<length || range.total != length
  }

  /// The length that `Content-Length` announces, unless `Transfer-Encoding` overrides it (RFC 9112 §6.3 #3).
  package var announcedLength: Int64? {
    guard !headers.contains(.transferEncoding), let contentLength, contentLength >= 0 else {
      return nil
    }
    return contentLength
  }

  /// Checks that the response is not partial, unless the request has a `Range` field.
  ///
  /// - Throws: `MartletError` with code `.wrongRange` for a partial response to a request without `Range`.
  package func checkIsWhole(for request: Request) throws(MartletError) {
    guard !isPartial || request.headers.contains(.range) else { throw .unrequestedPart(self) }
  }
}
