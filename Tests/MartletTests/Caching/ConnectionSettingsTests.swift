import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Stored responses are for requests over the same kind of connection: with the same client certificate, and to a server
/// of which the same was required.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionSettingsTests {
  private let cache = MemoryResponseCache()
  private let count = Locked(0)

  /// A session over the cache of the test, whose responses have a number as their body and are fresh for a minute.
  private func session(_ configure: (inout SessionConfiguration) -> Void = { _ in })
    -> URLSessionManager
  {
    var configuration = SessionConfiguration()
    configuration.cache = cache
    configuration.transport = InProcessTransport { [count] request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .reply(200, [.cacheControl: "max-age=60"], "\(number)", to: request)
    }
    configure(&configuration)
    return URLSessionManager(configuration: configuration)
  }

  private func get(_ session: URLSessionManager, _ url: String = "https://h/") async throws
    -> String
  {
    String(buffer: try await session.send(try Request(url)).body.collect())
  }

  private static func identity() throws -> ClientIdentity {
    let client = try TemporaryAuthority().leaf(for: ["client"], purposes: [.client])
    return try ClientIdentity(pem: client.certificatesPEM + client.privateKeyPEM)
  }

  @Test func `a response to a client certificate is for that certificate only`() async throws {
    let (ada, bob) = (try Self.identity(), try Self.identity())
    #expect(try await get(session { $0.tls.clientIdentities["h"] = ada }) == "1")
    #expect(try await get(session { $0.tls.clientIdentities["h"] = bob }) == "2")
    #expect(try await get(session()) == "3")
    #expect(try await get(session { $0.tls.clientIdentities["h"] = ada }) == "1")
    #expect(try await get(session { $0.tls.clientIdentities["*.h"] = ada }) == "3")
    #expect(try await get(session { $0.tls.clientIdentities["*.h"] = ada }, "https://a.h/") == "4")
  }

  @Test func `certificates of a provider are known to one session only`() async throws {
    let identity = try Self.identity()
    let first = session { $0.tls.clientIdentityProvider = { _ in identity } }
    #expect(try await get(first) == "1")
    #expect(try await get(first) == "1")
    #expect(try await get(session { $0.tls.clientIdentityProvider = { _ in identity } }) == "2")
    #expect(try await get(session()) == "3")
  }

  @Test(arguments: 0..<9)
  func `a response that was received under another policy is not used`(policy: Int) async throws {
    let pin = try #require(PublicKeyPin(digest: Array(repeating: 1, count: 32)))
    let changes: [@Sendable (inout SessionConfiguration) -> Void] = [
      { $0.tls.acceptsAnyCertificate = true },
      { $0.tls.roots = .certificates([[1]]) },
      { $0.securityPolicy.pins = [pin] },
      { $0.securityPolicy.allowInvalidCertificates = true },
      { $0.securityPolicy.validatesDomainName = false },
      { $0.securityPolicy.hostPolicies["h"] = SecurityPolicy(pins: [pin]) },
      { $0.securityPolicy.isReportOnly = true },
      { $0.securityPolicy.minimumVersion = .tls13 },
      { $0.securityPolicy.evaluationOverride = { _ in true } },
    ]
    #expect(try await get(session(changes[policy])) == "1")
    #expect(try await get(session()) == "2")
    #expect(try await get(session(changes[policy])) == "1")
    // Without TLS, and for other hosts, the settings are the same.
    #expect(try await get(session(changes[policy]), "http://h/") == "3")
    #expect(try await get(session(), "http://h/") == "3")
  }

  @Test func `a policy that is replaced applies to stored responses at once`() async throws {
    let session = session { $0.tls.acceptsAnyCertificate = true }
    #expect(try await get(session) == "1")
    session.securityPolicy = SecurityPolicy(pins: [])
    #expect(try await get(session) == "2")
    session.securityPolicy = SecurityPolicy()
    #expect(try await get(session) == "1")
  }

  @Test func `a shared cache does not store what a client certificate may have opened`()
    async throws
  {
    let identity = try Self.identity()
    let client: (inout SessionConfiguration) -> Void = {
      $0.cacheOptions.mode = .shared
      $0.tls.clientIdentities["h"] = identity
    }
    for number in 1...2 { #expect(try await get(session(client)) == "\(number)") }
  }

  @Test func `equal policies have equal keys, in whatever order their pins are`() async throws {
    let pins = (0..<20).compactMap { PublicKeyPin(digest: Array(repeating: $0, count: 32)) }
    #expect(try await get(session { $0.securityPolicy.pins = Set(pins) }) == "1")
    #expect(try await get(session { $0.securityPolicy.pins = Set(pins.reversed()) }) == "1")
    #expect(try await get(session { $0.securityPolicy.pins = Set(pins.dropLast()) }) == "2")
  }
}
