import EssentialFoundation
import MartletCore
import MartletTesting
import Testing

@testable import MartletRedisCache

/// The server's certificate must be for the name that is asked for. All servers are at 127.0.0.1.
@Suite(.timeLimit(.minutes(5)))
struct RedisTLSTests {
  private let authority: TemporaryAuthority
  private let roots = FileManager.default.temporaryDirectory
    .appending(path: "martlet-redis-\(UUID().uuidString).pem")

  init() throws {
    authority = try TemporaryAuthority()
  }

  /// Looks into the cache of a server whose certificate is for `names`.
  private func connect(certificateFor names: [String], _ serverName: String?) async throws {
    try authority.writePEM(to: roots)
    defer { try? FileManager.default.removeItem(at: roots) }
    let server = try await RedisStub.start(tls: authority.leaf(for: names))
    var configuration = server.configuration
    configuration.tls = RedisConfiguration.TLS()
    configuration.tls?.trustRoots = roots
    configuration.tls?.serverName = serverName
    let cache = RedisResponseCache(configuration)
    #expect(try await cache.responses(for: .first).isEmpty)
    await cache.close()
  }

  @Test(arguments: [nil, "127.0.0.1"])
  func `without a name, the certificate must be for the address`(_ serverName: String?) async throws
  {
    try await connect(certificateFor: ["127.0.0.1"], serverName)
    let error = try await #require(throws: MartletError.self) {
      try await connect(certificateFor: ["redis.example.com"], serverName)
    }
    #expect(error.message.contains(" is not trusted: "))
  }

  @Test func `with a name, the certificate must be for it, and the address does not count`()
    async throws
  {
    try await connect(certificateFor: ["redis.example.com"], "redis.example.com")
    for names in [["127.0.0.1"], ["other.example.com", "127.0.0.1"]] {
      let error = try await #require(throws: MartletError.self) {
        try await connect(certificateFor: names, "redis.example.com")
      }
      #expect(error.code == .cacheFailed)
      #expect(error.message.contains(" is not trusted: "))
      #expect(error.message.contains("redis.example.com"))
    }
  }
}
