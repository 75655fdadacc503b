import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletEssentials
import NIOCore
import NIOPosix

@testable import MartletRedisCache

extension CacheKey {
  static let first = CacheKey(url: "https://example.com/", credentialsDigest: nil)
  static let other = CacheKey(url: "https://example.com/other", credentialsDigest: nil)
  static let secret = CacheKey(url: "https://example.com/", credentialsDigest: "0a0b0c")
  /// When responses are made and stored.
  static let time = Date(timeIntervalSince1970: 784_111_777)
}

extension CachedResponse {
  /// A response that is made at ``CacheKey/time`` and fresh for a minute.
  static func stub(
    _ text: String = "text", _ headers: HTTPFields = [.cacheControl: "max-age=60"],
    variant: String? = nil
  ) -> CachedResponse {
    let record = Record(
      head: ResponseHead(status: .ok, headers: headers), url: URL(fileURLWithPath: "/"),
      requestTime: CacheKey.time, responseTime: CacheKey.time,
      varyHeaders: variant.map { [.acceptLanguage: [$0]] } ?? [:])
    return CachedResponse(record, body: ResponseBody(bytes: ByteBuffer(string: text)))
  }

  static func stub(_ headers: HTTPFields, variant: String? = nil) -> CachedResponse {
    stub("text", headers, variant: variant)
  }
}

extension CachedResponse.Record {
  static func stub(variant: String? = nil) -> Self {
    CachedResponse.stub("", variant: variant).record
  }

  static func stub(_ headers: HTTPFields) -> Self { CachedResponse.stub(headers).record }
}

extension ByteBuffer {
  static func zeros(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 0, count: count) }
}

extension RedisStub {
  /// A cache in this server, whose time stands still.
  func cache(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisResponseCache {
    var configuration = configuration
    change(&configuration)
    let client = RedisClient(configuration, on: MultiThreadedEventLoopGroup.singleton)
    return RedisResponseCache(client) { CacheKey.time }
  }
}

extension RedisResponseCache {
  /// Stores a response by a writer.
  func write(_ record: CachedResponse.Record, _ body: ByteBuffer, for key: CacheKey) async throws {
    let writer = try await makeWriter(for: record, key: key)
    try await writer?.write(body)
    try await writer?.finish(record)
  }

  /// The bodies of the responses for a key.
  func texts(for key: CacheKey) async throws -> [String] {
    var texts: [String] = []
    for response in try await responses(for: key) {
      texts.append(String(buffer: try await response.body.collect()))
    }
    return texts
  }
}
