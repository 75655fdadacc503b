import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore

@testable import Martlet
@testable import MartletEssentials

/// A cache over a server in the process, with a clock that the test moves.
final class CacheRig: Sendable {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  static let start = Date(timeIntervalSince1970: 784_111_777)

  let cache: any ResponseCache
  /// The requests that have reached the server.
  let sent = Locked<[Request]>([])
  let statistics: @Sendable () -> CacheStatistics
  /// The number of requests that wait for a shared exchange.
  let waitingCount: @Sendable () -> Int
  /// Waits for the work of the cache that no request waits for.
  let finish: @Sendable () async -> Void
  private let time: Locked<Date>
  private let pipeline: Pipeline

  /// A cache with a server that answers by `respond`, which receives each request and its number, from 1.
  init(
    _ cache: any ResponseCache = MemoryResponseCache(), _ options: CacheOptions = CacheOptions(),
    below interceptors: [any Interceptor] = [],
    _ respond: @escaping @Sendable (Request, Int) async throws -> Response
  ) {
    let (time, sent) = (Locked(Self.start), sent)
    let interceptor = CacheInterceptor(cache, options, over: nil) { time.current }
    self.cache = cache
    self.time = time
    statistics = { interceptor.statistics }
    finish = { await interceptor.finishRevalidations(within: .seconds(300)) }
    waitingCount = { interceptor.waitingCount }
    let server = InProcessTransport { request in
      let number = sent.withLock { sent in
        sent.append(request)
        return sent.count
      }
      var response = try await respond(request, number)
      response.request = request
      return response
    }
    pipeline = Pipeline([interceptor] + interceptors, transport: server)
  }

  /// Responses in this order, each with its number as its body; the last one repeats.
  convenience init(
    _ options: CacheOptions = CacheOptions(), below interceptors: [any Interceptor] = [],
    answering heads: (Int, HTTPFields)...
  ) {
    self.init(MemoryResponseCache(), options, below: interceptors) { request, number in
      let (status, headers) = heads[min(number, heads.count) - 1]
      return .reply(status, headers, status == 304 ? "" : "\(number)", to: request)
    }
  }

  var now: Date { time.current }

  /// Moves the clock.
  func wait(_ seconds: TimeInterval) {
    time.withLock { $0 += seconds }
  }

  @discardableResult
  func send(_ request: Request) async throws -> Response {
    try await pipeline.send(request)
  }

  @discardableResult
  func send(
    _ method: HTTPRequest.Method = .get, _ path: String = "/", _ headers: HTTPFields = [:],
    policy: Request.CachePolicy? = nil
  ) async throws -> Response {
    var request = try Request(method, "http://h\(path)", headers: headers)
    request.options.cachePolicy = policy
    return try await send(request)
  }

  /// Sends a GET, and returns the body as text.
  func get(_ path: String = "/", _ headers: HTTPFields = [:], policy: Request.CachePolicy? = nil)
    async throws -> String
  {
    String(buffer: try await send(.get, path, headers, policy: policy).body.collect())
  }

  /// The stored responses for a path, without credentials.
  func stored(_ path: String = "/") async throws -> [CachedResponse] {
    try await cache.responses(for: CacheKey(Request("http://h\(path)")))
  }

  /// The fields of the last request that has reached the server.
  var lastHeaders: HTTPFields { sent.current.last?.headers ?? [:] }
}

extension Response {
  static func reply(
    _ status: Int, _ headers: HTTPFields, _ body: String = "", to request: Request
  ) -> Response {
    Response(
      head: ResponseHead(status: .init(code: status), headers: headers), url: request.url,
      body: ResponseBody(bytes: ByteBuffer(string: body)))
  }
}

/// Adds a field to each request that is sent.
struct FieldInterceptor: Interceptor {
  let field: HTTPField

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    request.headers.append(field)
    return .passThrough
  }
}
