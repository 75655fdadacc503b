import EssentialFoundation

/// What a response consists of, shared by its copies until one of them changes.
///
/// A response is handed up through every step; copying one reference is cheaper than a dozen.
///
/// Unchecked because only `Response` holds it, and changes it only while it is the only holder.
final class ResponseParts: @unchecked Sendable {
  /// Whose URL answered.
  enum Source {
    case url(URL)
    case request(to: Destination)
  }

  var head: ResponseHead
  var source: Source
  var body: ResponseBody
  var metrics: Metrics
  var redirects: [Redirect] = []
  var refusal: MartletError?
  var isFromCache = false
  var untoldBytes = 0
  var detached: (any ByteStream)?

  init(_ head: ResponseHead, from source: Source, body: ResponseBody, metrics: Metrics) {
    self.head = head
    self.source = source
    self.body = body
    self.metrics = metrics
  }

  func copy() -> ResponseParts {
    let copy = ResponseParts(head, from: source, body: body, metrics: metrics)
    copy.redirects = redirects
    copy.refusal = refusal
    copy.isFromCache = isFromCache
    copy.untoldBytes = untoldBytes
    copy.detached = detached
    return copy
  }
}
