import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// Identical requests that are under way at the same time, and share one exchange (RFC 9111 §4).
///
/// The exchange belongs to none of them. It is cancelled when the last of them has been cancelled.
final class CollapsedRequests: Sendable {
  private struct Key: Hashable {
    let key: CacheKey
    let headers: HTTPFields
    let options: Request.Options
  }

  /// What an exchange has received.
  private struct Answer {
    /// The response, with its body or the beginning of it in memory.
    let response: Response
    /// The rest of a body that is too large for memory.
    let rest: ResponseBody?
  }

  private struct Shared {
    let id: UInt64
    let exchange: Task<Answer, any Error>
    var waiting = 1
  }

  private let shared = Locked<[Key: Shared]>([:])
  /// The largest body that is shared.
  private let largestBody: Int

  init(largestBody: Int) {
    self.largestBody = largestBody
  }

  /// The number of requests that wait.
  var waitingCount: Int { shared.withLock { $0.values.reduce(0) { $0 + $1.waiting } } }

  /// Returns the response to a request.
  ///
  /// - Parameters:
  ///   - lookup: The request.
  ///   - call: The call of the request. Its cancellation ends the waiting, and not the exchange.
  ///   - send: Sends the request, if none like it is under way.
  /// - Returns: The response; `nil` if the exchange of another request has a response that cannot be shared.
  /// - Throws: What `send` throws; `MartletError` with code `.cancelled`.
  func response(
    to lookup: CacheLookup, of call: Call, _ send: @escaping @Sendable () async throws -> Response
  ) async throws -> Response? {
    let request = lookup.request
    let key = Key(key: lookup.key, headers: request.headers, options: request.options)
    let (exchange, isFirst) = join(key, send)
    defer { leave(key, exchange.id) }
    let answer = try await call.wait { [exchange = exchange.exchange] in
      try await exchange.value
    }
    var response = answer.response
    guard isFirst else { return answer.rest == nil && response.isShareable ? response : nil }
    if let rest = answer.rest {
      let own = ResponseBody(stream: OwnRest(rest: rest, call: call))
      response.body = response.body.followed(by: own, of: call)
    }
    return response
  }

  private func join(_ key: Key, _ send: @escaping @Sendable () async throws -> Response)
    -> (Shared, isFirst: Bool)
  {
    shared.withLock { [largestBody] shared in
      if let existing = shared[key] {
        shared[key]?.waiting += 1
        return (existing, false)
      }
      let id = UInt64.random(in: 0 ... .max)
      let exchange = Task {
        // What has ended is not shared with later requests, which may require validation.
        defer { end(key, id) }
        var response = try await send()
        let body = response.body
        let (bytes, rest) = try await body.split(at: largestBody)
        response.body = ResponseBody(bytes: bytes, completion: body.completion)
        return Answer(response: response, rest: rest)
      }
      let new = Shared(id: id, exchange: exchange)
      shared[key] = new
      return (new, true)
    }
  }

  private func end(_ key: Key, _ id: UInt64) {
    shared.withLock { if $0[key]?.id == id { $0[key] = nil } }
  }

  private func leave(_ key: Key, _ id: UInt64) {
    let unused = shared.withLock { shared -> Task<Answer, any Error>? in
      guard let existing = shared[key], existing.id == id else { return nil }
      shared[key]?.waiting -= 1
      guard existing.waiting == 1 else { return nil }
      shared[key] = nil
      return existing.exchange
    }
    unused?.cancel()
  }
}

extension Response {
  /// Whether several requests may receive it: it may be stored, and does not require that each request is validated (RFC
  /// 9111 §5.2.2.4), or the server has confirmed that it is still valid.
  fileprivate var isShareable: Bool {
    guard let cacheStatus else { return false }
    return cacheStatus.forwardStatus == 304
      || cacheStatus.isStored && !CacheControl(head.headers).contains(.noCache)
  }
}

/// The rest of a body that a shared exchange receives, and that one call reads. Its cancellation ends the reading.
private struct OwnRest: ResponseBodySource {
  let rest: ResponseBody
  let call: Call

  func next() async throws -> ByteBuffer? {
    try await call.wait { [rest] in
      var chunks = rest.makeAsyncIterator()
      return try await chunks.next()
    }
  }

  func abandon() { rest.cancel() }

  var completion: ResponseBody.Completion? { rest.completion }
}
