import EssentialFoundation
import HTTPTypes
import MartletCore

/// The decision about the bytes that have been received, after a response to a request for the rest of a body.
enum ResumeDecision: Equatable {
  /// The response has the bytes that follow.
  case append(Range<Int64>, total: Int64?)
  /// The response has the whole body: a partial file is overwritten.
  case startOver
  /// All bytes have been received.
  case complete
  /// The resource has changed: the whole body must be requested.
  case restart
  /// The server does not send the body now; a partial file is kept.
  case reject
  /// The server sent another range than requested; a partial file is kept.
  case wrongRange(String?)
  /// The server announces two different lengths; a partial file is kept.
  case wrongLength(announced: Int64, sent: Int64)

  /// - Parameters:
  ///   - head: The head of the response.
  ///   - url: The URL of the response, after redirects.
  ///   - position: The bytes from here on were requested, if the validator still matches (RFC 9110 §13.1.5).
  init(_ head: ResponseHead, from url: URL, resuming position: BodyPosition) {
    let range = ContentRange(head)
    let isChanged = position.isChanged(in: head, range, from: url)
    switch head.status.code {
    case 206: self = isChanged ? .restart : Self.part(range, head, position)
    // The condition of the range is false, or the server does not support ranges (RFC 9110 §14.2).
    case 200..<300: self = .startOver
    case 416:
      let isWhole = (range?.total ?? position.length) == position.received
      self = isWhole && !isChanged ? .complete : .restart
    default: self = .reject
    }
  }

  private static func part(
    _ range: ContentRange?, _ head: ResponseHead, _ position: BodyPosition
  ) -> ResumeDecision {
    // A compressed body has other bytes.
    guard !head.isEncoded else { return .restart }
    guard let bytes = range?.bytes, bytes.lowerBound == position.received else {
      return .wrongRange(head.headers[.contentRange])
    }
    let count = bytes.upperBound - bytes.lowerBound
    if let sent = head.announcedLength, sent != count {
      return .wrongLength(announced: count, sent: sent)
    }
    return .append(bytes, total: range?.total ?? position.length)
  }
}

extension BodyPosition {
  /// Whether a response belongs to another resource, or another state of it, than the bytes that have been received. Not all
  /// servers check the condition of a range.
  fileprivate func isChanged(in head: ResponseHead, _ range: ContentRange?, from url: URL) -> Bool {
    if let path, path != url.path(percentEncoded: true) { return true }
    // A length that differs from the known one means another state, whatever the entity tag.
    if let length, let range, !range.fits(length) { return true }
    if let entityTag, let tag = head.headers[.eTag] { return tag != entityTag }
    guard entityTag == nil, let lastModified, let date = head.headers[.lastModified] else {
      return false
    }
    return date != lastModified
  }
}
