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
  private func session(
    control: String = "max-age=60", _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.cache = cache
    configuration.transport = InProcessTransport { [count] request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .reply(200, [.cacheControl: control], "\(number)", to: request)
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

  /// Settings that are not the default, by name.
  private static let changes: [String: @Sendable (inout SessionConfiguration) -> Void] = [
    "any certificate": { $0.tls.acceptsAnyCertificate = true },
    "roots": { $0.tls.roots = .certificates([[1]]) },
    "oldest version": { $0.tls.minimumVersion = .tls13 },
    "newest version": { $0.tls.maximumVersion = .tls12 },
    "pins": { $0.securityPolicy.pins = pins(1) },
    "invalid certificates": { $0.securityPolicy.allowInvalidCertificates = true },
    "any name": { $0.securityPolicy.validatesDomainName = false },
    "host policy": { $0.securityPolicy.hostPolicies["h"] = SecurityPolicy(pins: pins(1)) },
    "report only": { $0.securityPolicy.isReportOnly = true },
    "roots of the policy": { $0.securityPolicy.roots = .certificates([[2]]) },
    "version of the policy": { $0.securityPolicy.minimumVersion = .tls13 },
  ]

  private static func pins(_ count: UInt8) -> Set<PublicKeyPin> {
    Set((0..<count).compactMap { PublicKeyPin(digest: Array(repeating: $0, count: 32)) })
  }

  @Test(arguments: changes.keys.sorted())
  func `a response that was received under another policy is not used`(name: String) async throws {
    let change = try #require(Self.changes[name])
    #expect(try await get(session(change)) == "1")
    #expect(try await get(session()) == "2")
    #expect(try await get(session(change)) == "1")
    // Without TLS, the settings make no difference.
    #expect(try await get(session(change), "http://h/") == "3")
    #expect(try await get(session(), "http://h/") == "3")
  }

  @Test func `settings of one host make no difference for another`() async throws {
    let change = try #require(Self.changes["host policy"])
    #expect(try await get(session(change), "https://other/") == "1")
    #expect(try await get(session(), "https://other/") == "1")
  }

  @Test(arguments: ["override", "evaluator"])
  func `what a closure decides counts for one session only`(name: String) async throws {
    let change: @Sendable (inout SessionConfiguration) -> Void = {
      if name == "override" {
        $0.securityPolicy.evaluationOverride = { _ in true }
      } else {
        $0.tls.evaluator = SecurityPolicyEvaluator()
      }
    }
    let first = session(change)
    #expect(try await get(first) == "1")
    #expect(try await get(first) == "1")
    #expect(try await get(session(change)) == "2")
    #expect(try await get(session()) == "3")
  }

  @Test func `a response is not stored when the policy is replaced while it is under way`()
    async throws
  {
    let sessions = Locked<[URLSessionManager]>([])
    let session = session {
      $0.interceptors.perExchange = [
        Meanwhile { sessions.current.first?.securityPolicy.allowInvalidCertificates = true }
      ]
    }
    sessions.withLock { $0 = [session] }
    #expect(try await get(session) == "1")
    #expect(session.cacheStatistics.stored == 0)
    sessions.withLock { $0 = [] }
    session.securityPolicy = SecurityPolicy()
    #expect(try await get(session) == "2")
    #expect(session.cacheStatistics.stored == 1)
  }

  @Test func `a policy that is replaced applies to stored responses at once`() async throws {
    let session = session { $0.tls.acceptsAnyCertificate = true }
    #expect(try await get(session) == "1")
    session.securityPolicy = SecurityPolicy(pins: [])
    #expect(try await get(session) == "2")
    session.securityPolicy = SecurityPolicy()
    #expect(try await get(session) == "1")
  }

  @Test(arguments: ["max-age=60", "public, max-age=60", "must-revalidate, max-age=60"])
  func `a shared cache has for all what the server allows for all, and nothing for one certificate`(
    control: String
  ) async throws {
    let isForAll = control.hasPrefix("public")
    for number in 1...2 {
      let identity = try Self.identity()
      let session = session(control: control) {
        $0.cacheOptions.mode = .shared
        $0.tls.clientIdentities["h"] = identity
      }
      #expect(try await get(session) == (isForAll ? "1" : "\(number)"))
    }
  }

  @Test func `equal policies have equal keys, in whatever order their pins are`() async throws {
    let other = Set<PublicKeyPin>(minimumCapacity: 1000).union(Self.pins(20))
    #expect(try await get(session { $0.securityPolicy.pins = Self.pins(20) }) == "1")
    #expect(try await get(session { $0.securityPolicy.pins = other }) == "1")
    #expect(try await get(session { $0.securityPolicy.pins = Self.pins(19) }) == "2")
  }
}

/// Does something while a request is under way.
private struct Meanwhile: Interceptor {
  let action: @Sendable () -> Void

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    action()
    return .passThrough
  }
}

private struct SecurityPolicyEvaluator: TrustEvaluating {
  func evaluate(_ trust: ServerTrust) async throws {}
}
