import HTTPTypes
import MartletCore

/// The decision about the partial file after a response to a request for the rest of a body.
enum ResumeDecision: Equatable {
  /// The response has the bytes that follow.
  case append(Range<Int64>, total: Int64?)
  /// The response has the whole body: the partial file is overwritten.
  case startOver
  /// The partial file is complete.
  case complete
  /// The resource has changed: the whole body must be requested.
  case restart
  /// The server does not send the body now; the partial file is kept.
  case reject
  /// The server sent another range than requested; the partial file is kept.
  case wrongRange(String?)
  /// The server announces two different lengths; the partial file is kept.
  case wrongLength(announced: Int64, sent: Int64)

  /// - Parameters:
  ///   - head: The head of the response.
  ///   - data: The resume data: the bytes from `received` on were requested, if the validator still matches
  ///     (RFC 9110 §13.1.5).
  init(_ head: ResponseHead, resuming data: ResumeData) {
    let range = ContentRange(head)
    switch head.status.code {
    case 206: self = Self.part(range, head, data)
    // The condition of the range is false, or the server does not support ranges (RFC 9110 §14.2).
    case 200..<300: self = .startOver
    case 416:
      let isWhole = (range?.total ?? data.length) == data.received
      self = isWhole && !data.isChanged(in: head, range) ? .complete : .restart
    default: self = .reject
    }
  }

  private static func part(
    _ range: ContentRange?, _ head: ResponseHead, _ data: ResumeData
  ) -> ResumeDecision {
    // Not all servers check the condition; and a compressed body has other bytes.
    guard !data.isChanged(in: head, range), !head.isEncoded else { return .restart }
    guard let bytes = range?.bytes, bytes.lowerBound == data.received else {
      return .wrongRange(head.headers[.contentRange])
    }
    let count = bytes.upperBound - bytes.lowerBound
    if let sent = head.announcedLength, sent != count {
      return .wrongLength(announced: count, sent: sent)
    }
    return .append(bytes, total: range?.total ?? data.length)
  }
}

extension ResumeData {
  /// Whether a response belongs to another state of the resource than the partial file.
  fileprivate func isChanged(in head: ResponseHead, _ range: ContentRange?) -> Bool {
    // A length that differs from the known one means another state, whatever the entity tag.
    if let length, let range, !range.fits(length) { return true }
    if let entityTag, let tag = head.headers[.eTag] { return tag != entityTag }
    guard entityTag == nil, let lastModified, let date = head.headers[.lastModified] else {
      return false
    }
    return date != lastModified
  }
}
