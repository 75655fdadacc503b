import HTTPTypes
import MartletCore

/// What the answer to a request for the rest of a body means for the bytes that are there.
enum ResumeDecision: Equatable {
  /// These bytes follow them.
  case append(Range<Int64>, total: Int64?)
  /// The whole body comes, and they count for nothing.
  case startOver
  /// They are all there are.
  case complete
  /// They are of something that the server has no more: ask again, for the whole.
  case restart
  /// The server has nothing to give now; they stay.
  case reject
  /// The server sent what was not asked for; they stay.
  case wrongRange(String?)
  /// The server contradicts itself about how much it sends; they stay.
  case wrongLength(announced: Int64, sent: Int64)

  /// - Parameters:
  ///   - head: The answer's head.
  ///   - data: What was resumed: the bytes from `received` on were asked for, if the validator still holds
  ///     (RFC 9110 §13.1.5).
  init(_ head: ResponseHead, resuming data: ResumeData) {
    let range = ContentRange(head)
    switch head.status.code {
    case 206: self = Self.part(range, head, data)
    // The range was made void by its condition, or the server knows no ranges (RFC 9110 §14.2).
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
    // Not all servers look at the condition; and the bytes of a compressed body are others.
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
  /// Whether a response is about another state of the resource than the one that is partly there.
  fileprivate func isChanged(in head: ResponseHead, _ range: ContentRange?) -> Bool {
    // A length that is not the one known from before is another state's, whatever the entity tag.
    if let length, let range, !range.fits(length) { return true }
    if let entityTag, let tag = head.headers[.eTag] { return tag != entityTag }
    guard entityTag == nil, let lastModified, let date = head.headers[.lastModified] else {
      return false
    }
    return date != lastModified
  }
}
