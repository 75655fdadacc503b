import HTTPTypes

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
}

extension Request {
  /// Checks that a response is none that no delivery may take for the whole.
  ///
  /// - Throws: `MartletError` with code `.wrongRange` for a part when the request has no `Range`.
  package func check(_ head: ResponseHead) throws(MartletError) {
    guard !head.isPartial || headers.contains(.range) else { throw .unrequestedPart(head) }
  }
}
