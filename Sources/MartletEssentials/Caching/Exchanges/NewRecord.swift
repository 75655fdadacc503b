import EssentialFoundation
import HTTPTypes
import MartletCore

extension SharedCache {
  /// Returns the record of a response that arrives; `nil` if it may not be stored (RFC 9111 §3), or if the security policy
  /// was replaced meanwhile, so that the connection may have been accepted under another one than the key has.
  func newRecord(of response: Response, _ metadata: CacheMetadata, to sent: SentRequest)
    -> CachedResponse.Record?
  {
    guard Storability.isStorable(response.head, metadata, to: sent, options),
      Storability.isAnswer(response, to: sent.request), sent.connections === connections
    else { return nil }
    return CachedResponse.Record(
      response.head, metadata, to: sent.request, sent.url, sent: sent.time, received: now)
  }
}

extension CachedResponse.Record {
  /// The record of a response that may be stored. The record of a part has the head of the whole.
  init(
    _ head: ResponseHead, _ metadata: CacheMetadata, to request: Request, _ url: String,
    sent start: Date, received end: Date
  ) {
    var stored = ResponseHead(status: head.status, headers: head.headers.storable)
    var part: Part?
    if head.status == .partialContent, let range = ContentRange(head), let bytes = range.bytes {
      part = Part(bytes: bytes, total: range.total)
      stored.status = .ok
      stored.headers[.contentRange] = nil
      stored.headers[.contentLength] = range.total.map { "\($0)" }
    }
    // A field that is not stored has no effect on the stored response.
    let isWhole = stored.headers.count == head.headers.count
    self.init(
      RecordValues(
        head: stored, urlText: url, requestTime: start, responseTime: end,
        varyHeaders: Self.varyHeaders(of: head, to: request), part: part,
        metadata: isWhole ? metadata : CacheMetadata(stored)))
  }
}
