import EssentialFoundation
import MartletCore
import NIOCore

/// Responses on their way to the caller: each says what the cache has done, and is reported to the call.
extension SharedCache {
  /// The status of a request that was sent, or of a hit.
  func status(_ reason: CacheStatus.ForwardReason?, _ forwardStatus: Int? = nil) -> CacheStatus {
    var status = CacheStatus(cache: options.name, forwardReason: reason)
    status.forwardStatus = forwardStatus
    return status
  }

  /// Returns the answer to a request that was not sent.
  func hit(_ answer: CacheAnswer, for request: Request) -> Response {
    var status = status(nil)
    status.timeToLive = answer.freshness.timeToLive
    count { $0.hits += 1 }
    return self.answer(answer, for: request, status)
  }

  /// Returns a stored response as the answer to a request.
  func answer(_ answer: CacheAnswer, for request: Request, _ status: CacheStatus) -> Response {
    let response = answer.response(to: request, status)
    // A body in a file has the length that was announced, as far as one was.
    let served =
      response.body.bytes.map { Int64($0.readableBytes) } ?? response.head.announcedLength ?? 0
    count { $0.servedBytes += served }
    guard let call = request.call else { return response }
    call.report(.cacheUsed(status, answer: response.head))
    if served > 0 { call.report(.bodyReceived(bytes: Int(clamping: served), total: served)) }
    return response
  }

  /// Returns a response of the server.
  func forwarded(_ response: Response, for request: Request, _ status: CacheStatus) -> Response {
    var response = response
    status.add(to: &response)
    count { $0.misses += 1 }
    request.call?.report(.cacheUsed(status, answer: nil))
    return response
  }

  /// Returns the response of an exchange that identical requests share.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - request: One of the requests.
  ///   - isFirst: Whether it is the request for which the exchange was made.
  /// - Returns: The response to the request.
  func shared(_ response: Response, with request: Request, isFirst: Bool) -> Response {
    var response = response
    if !isFirst, var status = response.cacheStatus {
      status.isCollapsed = true
      response.head.headers[fields: .cacheStatus].removeLast()
      status.add(to: &response, isFromCache: response.isFromCache)
      count { $0.collapsed += 1 }
    }
    guard let call = request.call, let status = response.cacheStatus else { return response }
    call.report(.cacheUsed(status, answer: response.head))
    if let bytes = response.body.bytes?.readableBytes, bytes > 0 {
      call.report(.bodyReceived(bytes: bytes, total: Int64(bytes)))
    }
    return response
  }

  /// Returns a response of the server, and stores it: at once if its body is in memory, else while it is read.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - part: What is stored of it, with the stored bytes around it.
  ///   - sent: The request.
  ///   - status: What the cache has done so far.
  ///   - replaced: The stored responses that are removed when this one is stored.
  ///   - filter: Decides what is stored. With `nil`, all is.
  /// - Returns: The response.
  func record(
    _ response: Response, as part: CombinedPart, to sent: SentRequest, _ status: CacheStatus,
    replacing replaced: [CachedResponse.Record] = [], filter: CacheFilter?
  ) async -> Response {
    var (response, status) = (response, status)
    let recorder = ResponseRecorder(
      part.storable(in: options.mode), to: sent, replacing: replaced, in: self, filter: filter)
    if await recorder.begin(response.body) {
      if let bytes = response.body.bytes {
        status.isStored = await recorder.store(bytes)
      } else {
        response.body = ResponseBody(
          stream: CachingBody(response.body, recorder), of: sent.request.call)
        status.isStored = true
      }
    }
    return forwarded(response, for: sent.request, status)
  }
}

/// Returns what is stored of a response; `nil` stores nothing.
typealias CacheFilter = @Sendable (CachedResponse) -> CachedResponse?

extension CallContext {
  /// The session's hook that decides what is stored.
  var cacheFilter: CacheFilter? {
    guard let task, let hook = hooks?.onWillCacheResponse else { return nil }
    return { hook(task, $0)?.withLengthOfBody }
  }
}

extension CachedResponse {
  /// The response with the length of its body in memory, which a hook may have changed. A part has the length of the
  /// whole.
  fileprivate var withLengthOfBody: CachedResponse {
    guard body.kind == .buffered, let bytes = body.bytes, record.part == nil,
      record.head.headers.contains(.contentLength)
    else { return self }
    var response = self
    response.record.head.headers[.contentLength] = "\(bytes.readableBytes)"
    return response
  }
}
