import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// A session's policy at work, against a server.
@Suite(.timeLimit(.minutes(5)))
struct SessionPolicyTests {
  private let authority: TemporaryAuthority
  private let leaf: CertifiedKey

  init() throws {
    authority = try TemporaryAuthority()
    leaf = try authority.leaf()
  }

  private func configuration(_ policy: SecurityPolicy = SecurityPolicy()) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    configuration.securityPolicy = policy
    return configuration
  }

  private func policy(pinning certificate: [UInt8]) throws -> SecurityPolicy {
    SecurityPolicy(pins: [try #require(PublicKeyPin(of: certificate))])
  }

  @Test(.covers("SEC-22", "SES-A2", "SES-A5", "SES-A6", "SES-A7", "SES-A8"))
  func `the policy decides about every new connection, and refused servers receive nothing`()
    async throws
  {
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    let request = Request(url: server.url("/get", host: "localhost"))
    let good = URLSessionManager(configuration: configuration(try policy(pinning: authority.root)))
    #expect(try await good.send(request).status == .ok)

    let other = try TemporaryAuthority().root
    let bad = URLSessionManager(configuration: configuration(try policy(pinning: other)))
    await #expect {
      try await bad.send(request)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .certificateNotPinned && error?.phase == .tls
        && error?.trust?.host == "localhost"
        && error?.trust?.certificates == leaf.certificates
        && error?.request?.url == request.url
    }
    await server.stop()
  }

  @Test(.covers("SEC-19"), arguments: [HTTPTransportConfiguration.Versions.http1, .http2])
  func `after a change no connection is used that an older policy accepted`(
    versions: HTTPTransportConfiguration.Versions
  ) async throws {
    var tls = ServerTLS(leaf)
    tls.protocols = ["h2", "http/1.1"]
    let server = try await LoopbackServer.start(tls: tls)
    let request = Request(url: server.url("/get", host: "localhost"))
    var configuration = configuration()
    configuration.versions = versions
    // While a loop is busy, the next one may use a connection of its own.
    configuration.eventLoopCount = 1
    let session = URLSessionManager(configuration: configuration)
    #expect(try await session.send(request).metrics.isConnectionReused == false)
    #expect(try await session.send(request).metrics.isConnectionReused == true)

    session.securityPolicy = try policy(pinning: try TemporaryAuthority().root)
    await #expect(throws: MartletError.self) { try await session.send(request) }
    session.securityPolicy = try policy(pinning: authority.root)
    #expect(try await session.send(request).metrics.isConnectionReused == false)
    #expect(session.securityPolicy.pins.count == 1)
    await server.stop()
  }

  @Test(.covers("SES-A9"))
  func `each task has an error of its own`() async throws {
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    let other = try TemporaryAuthority().root
    let session = URLSessionManager(configuration: configuration(try policy(pinning: other)))
    let urls = ["/get", "/ip"].map { server.url($0, host: "localhost") }
    for url in urls {
      await #expect {
        try await session.send(Request(url: url))
      } throws: { error in
        let error = error as? MartletError
        return error?.request?.url == url && error?.trust?.host == "localhost"
      }
    }
    await server.stop()
  }

  @Test func `what is under way when the policy changes goes on`() async throws {
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    let session = URLSessionManager(configuration: configuration())
    var request = Request(url: server.url("/bytes/300000", host: "localhost"))
    request.delivery = .stream
    let response = try await session.send(request)
    session.securityPolicy = try policy(pinning: try TemporaryAuthority().root)
    #expect(try await response.body.collect(upTo: 1 << 20).readableBytes == 300_000)
    await server.stop()
  }

  @Test(.covers("SES-A1"))
  func `an evaluator of the engine's decides in place of the policy`() async throws {
    struct Everybody: TrustEvaluating {
      func evaluate(_ trust: ServerTrust) async throws {}
    }
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    var configuration = configuration(try policy(pinning: try TemporaryAuthority().root))
    configuration.tls.evaluator = Everybody()
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url("/get", host: "localhost"))
    #expect(try await session.send(request).status == .ok)
    await server.stop()
  }

  @Test(.covers("SES-L7"))
  func `a session that is reset keeps the trust evaluator of a custom transport`() async throws {
    struct Refusal: TrustEvaluating {
      func evaluate(_ trust: ServerTrust) async throws {
        throw MartletError(.certificateNotPinned, "It is refused.")
      }
    }
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    var transport = HTTPTransportConfiguration()
    transport.tls.roots = .certificates([authority.root])
    transport.tls.evaluator = Refusal()
    var configuration = configuration()
    configuration.transport = HTTPTransport(transport)
    let session = URLSessionManager(configuration: configuration)
    session.invalidateSession(cancelingTasks: true, resettingSession: true)
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(url: server.url("/get", host: "localhost")))
    }
    #expect(error?.code == .certificateNotPinned)
    #expect(server.requestCount == 0)
    await server.stop()
  }

  @Test(.covers("SES-L7"))
  func `a session that is reset keeps the policy that it has been given`() async throws {
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    let session = URLSessionManager(configuration: configuration())
    session.securityPolicy = try policy(pinning: try TemporaryAuthority().root)
    session.invalidateSession(cancelingTasks: true, resettingSession: true)
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(url: server.url("/get", host: "localhost")))
    }
    #expect(error?.code == .certificateNotPinned)
    await server.stop()
  }

  @Test func `a pin holds even where any certificate is accepted`() async throws {
    let own = try TemporaryAuthority.selfSigned(commonName: "nobody")
    let server = try await LoopbackServer.start(tls: ServerTLS(own))
    let request = Request(url: server.url("/get", host: "localhost"))
    for (certificate, isTrusted) in [(own.certificates[0], true), (authority.root, false)] {
      var configuration = configuration(try policy(pinning: certificate))
      configuration.tls.acceptsAnyCertificate = true
      let session = URLSessionManager(configuration: configuration)
      #expect((try? await session.send(request).status == .ok) == (isTrusted ? true : nil))
    }
    await server.stop()
  }

  // MARK: Versions

  @Test func `a policy bounds the versions of TLS, host by host`() async throws {
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    var policy = SecurityPolicy()
    policy.hostPolicies["localhost"] = SecurityPolicy()
    policy.hostPolicies["localhost"]?.maximumVersion = .tls12
    let session = URLSessionManager(configuration: configuration(policy))
    for (host, version) in [("localhost", "TLSv1.2"), ("127.0.0.1", "TLSv1.3")] {
      let response = try await session.send(Request(url: server.url("/get", host: host)))
      #expect(response.metrics.connection?.tlsVersion == version)
    }
    policy.hostPolicies = [:]
    session.securityPolicy = policy
    let response = try await session.send(Request(url: server.url("/get", host: "localhost")))
    #expect(response.metrics.connection?.tlsVersion == "TLSv1.3")
    await server.stop()
  }

  @Test func `a server too old for the policy is refused, and a policy that leaves no version`()
    async throws
  {
    var tls = ServerTLS(leaf)
    tls.versions = .tls12 ... .tls12
    let server = try await LoopbackServer.start(tls: tls)
    let request = Request(url: server.url("/get", host: "localhost"))
    var policy = SecurityPolicy()
    policy.minimumVersion = .tls13
    let session = URLSessionManager(configuration: configuration(policy))
    await #expect {
      try await session.send(request)
    } throws: { error in
      (error as? MartletError)?.message
        == "The TLS handshake with https://localhost:\(server.port) failed: the server speaks no version of TLS that `minimumVersion` and `maximumVersion` allow, in `tls` or in the security policy."
    }
    policy.maximumVersion = .tls12
    session.securityPolicy = policy
    await #expect {
      try await session.send(request)
    } throws: { error in
      (error as? MartletError)?.message
        == "No version of TLS is left: `minimumVersion` is newer than `maximumVersion`, in `tls` or in the security policy."
    }
    await server.stop()
  }

  // MARK: Managers

  @Test(
    .covers(
      "SEC-19", "HTM-9", "T-HTM-28", "T-HTM-30", "T-HTM-32", "T-HTM-33", "T-HTM-34"),
    arguments: ["http://example.com/", nil], [SecurityPolicy.PinningMode.certificate, .publicKey])
  func `a policy that pins needs a base URL with https`(
    base: String?, mode: SecurityPolicy.PinningMode
  ) async throws {
    let manager = HTTPSessionManager(baseURL: base.flatMap { URL(string: $0) })
    let pinning = try SecurityPolicy(pinningMode: mode, pinnedCertificates: [])
    #expect {
      try manager.setSecurityPolicy(pinning)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidSecurityPolicy
        && error?.message
          == "A security policy configured with `\(mode)` can only be applied on a manager with a secure base URL (i.e. https)."
    }
    #expect(manager.securityPolicy == SecurityPolicy())
    try manager.setSecurityPolicy(SecurityPolicy())

    let made = HTTPSessionManager(baseURL: base.flatMap { URL(string: $0) }) {
      $0.securityPolicy = pinning
    }
    #expect(throws: MartletError.self) { try made.request(.get, "https://example.com/") }
    for await outcome in made.send([try Request(.get, "https://example.com/")]) {
      #expect { try outcome.response } throws: {
        ($0 as? MartletError)?.code == .invalidSecurityPolicy
      }
    }
    try made.setSecurityPolicy(SecurityPolicy())
    _ = try made.request(.get, "https://example.com/")
  }

  @Test(
    .covers("HTM-9", "T-HTM-27", "T-HTM-29", "T-HTM-31"),
    arguments: [SecurityPolicy.PinningMode.disabled, .certificate, .publicKey])
  func `with a base URL of https a manager takes any policy`(mode: SecurityPolicy.PinningMode)
    throws
  {
    let manager = HTTPSessionManager(baseURL: URL(string: "https://example.com"))
    let policy = try SecurityPolicy(pinningMode: mode, pinnedCertificates: [])
    try manager.setSecurityPolicy(policy)
    #expect(manager.securityPolicy == policy)
  }

  @Test(
    .covers("T-HTM-35", "T-HTM-36"),
    arguments: [SecurityPolicy.PinningMode.certificate, .publicKey]
  )
  func `a server without what is pinned is a failure that names it`(
    mode: SecurityPolicy.PinningMode
  ) async throws {
    let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
    let foreign = Data(try TemporaryAuthority().leaf().certificates[0])
    let policy = try SecurityPolicy(pinningMode: mode, pinnedCertificates: [foreign])
    let manager = HTTPSessionManager(baseURL: server.url("/", host: "localhost")) {
      $0.tls.roots = .certificates([authority.root])
      $0.securityPolicy = policy
    }
    await #expect {
      try await manager.get("") as Response
    } throws: { error in
      let error = error as? MartletError
      let problem =
        mode == .certificate
        ? "None of the pinned certificates is in the chain of “localhost”:"
        : "No certificate of “localhost” has a pinned key:"
      return error?.code == .certificateNotPinned
        && error?.message.hasPrefix(
          "\(problem) you might be connecting to a server that is pretending to be “localhost”.")
          == true
    }
    await server.stop()
  }
}
