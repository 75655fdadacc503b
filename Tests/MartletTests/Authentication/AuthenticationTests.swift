import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// Servers that require authentication.
@Suite(.timeLimit(.minutes(5)))
struct AuthenticationTests {

  private let store = CredentialStore()
  private let session: URLSessionManager

  init() {
    session = URLSessionManager(knowing: store)
  }

  // MARK: httpbin

  @Test(
    arguments: [
      "basic-auth/ada/secret", "digest-auth/auth/ada/secret", "digest-auth/auth/ada/secret/MD5",
      "digest-auth/auth/ada/secret/SHA-256", "digest-auth/auth/ada/secret/SHA-512",
      "digest-auth/auth-int/ada/secret/SHA-256",
    ])
  func `a credential of the store is accepted`(path: String) async throws {
    let server = try await Httpbin()
    try store.set(Credential.ada, for: server.base)
    let response = try await session.send(Request(url: server.url(path)))
    #expect(response.status == .ok)
    #expect(response.authenticationError == nil)
    if let server = server.loopback { #expect(server.connectionCount == 1) }
  }

  @Test(arguments: ["basic-auth/ada/secret", "digest-auth/auth/ada/secret/SHA-256"])
  func `a credential in the URL is accepted, and the URL is shown without it`(path: String)
    async throws
  {
    let server = try await Httpbin()
    let url = server.url(path).naming("ada", "secret")
    let response = try await session.send(Request(url: url))
    #expect(response.status == .ok)
    #expect(response.url == server.url(path))
  }

  @Test func `a nonce that is used up is replaced, and the request succeeds`() async throws {
    let server = try await LoopbackServer.start()
    let url = server.url("/digest-auth/auth/ada/secret/MD5/2")
    try store.set(Credential.ada, for: url)
    for _ in 0..<6 {
      let response = try await session.send(Request(url: url))
      #expect(response.status == .ok)
    }
    // Every third one finds out, and the first, too.
    #expect(server.requestCount == 9)
  }

  // MARK: Which requests send a credential

  @Test func `after the first challenge, requests below its path send the credential at once`()
    async throws
  {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    try store.set(Credential.ada, for: server.url())
    for path in ["/a/b", "/a/c?x=/y", "/a/d/e", "/other"] {
      #expect(try await session.send(Request(url: server.url(path))).status == .ok)
    }
    #expect(
      server.fields == [
        nil, Credential.adaInBasic, Credential.adaInBasic, Credential.adaInBasic, nil,
        Credential.adaInBasic,
      ])
  }

  @Test func `the credential of one request is not sent with another`() async throws {
    let server = try await GuardedServer("Basic realm=r") { _ in true }
    var request = Request(url: server.url("/users/7"))
    request.credential = .ada
    #expect(try await session.send(request).status == .ok)
    #expect(try await session.send(Request(url: server.url("/users/8"))).status == .unauthorized)
    try store.set(.password(user: "eve", password: "x"), for: server.url())
    #expect(try await session.send(Request(url: server.url("/users/9"))).status == .ok)
    #expect(server.fields == [Credential.adaInBasic, nil, nil, "Basic ZXZlOng="])
  }

  @Test func `the credential of a request takes the place of an Authorization field`() async throws
  {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    var request = Request(url: server.url())
    request.headers[.authorization] = "Bearer of-the-serializer"
    request.credential = .ada
    #expect(try await session.send(request).status == .ok)
    request.credential = .password(user: "ada", password: "secret", for: .digest)
    #expect(try await session.send(request).status == .unauthorized)
    #expect(server.fields == [Credential.adaInBasic, nil])
  }

  @Test func `a realm has a credential of its own`() async throws {
    let server = try await GuardedServer("Basic realm=inner") { $0 == Credential.adaInBasic }
    try store.set(.password(user: "eve", password: "x"), for: server.url())
    try store.set(Credential.ada, for: server.url(), realm: "inner")
    #expect(try await session.send(Request(url: server.url())).status == .ok)
    #expect(server.visits.count == 2)
  }

  @Test func `a password for Digest is withheld from a server that offers Basic, and that is said`()
    async throws
  {
    let server = try await GuardedServer("Basic realm=r", "Negotiate") { _ in true }
    try store.set(
      .password(user: "ada", password: "secret", for: .digest), for: server.url())
    let response = try await session.send(Request(url: server.url()))
    #expect(response.status == .unauthorized)
    #expect(server.fields == [nil])
    #expect(response.authenticationError?.code == .unsupportedAuthentication)
    #expect(
      response.authenticationError?.message
        == "http://127.0.0.1:\(server.server.port) requires authentication by “basic”, “negotiate”, and the credential is for Digest only: it was not sent. Allow another scheme for the credential, or have the server offer an allowed one."
    )
  }

  @Test(
    arguments: [
      (
        "Digest realm=r, nonce=n, algorithm=FOO, Basic realm=r",
        " by “digest”, “basic”, and the credential is for Digest only: it was not sent. Allow another scheme for the credential, or have the server offer an allowed one. The Digest algorithm “FOO” is not supported."
      ),
      (
        "Digest realm=r, nonce=n, algorithm=FOO-sess",
        " by “digest”, which the credential cannot answer: Digest, Basic and Bearer are supported. The Digest algorithm “FOO-sess” is not supported."
      ),
    ])
  func `a Digest algorithm that is not supported is named (RFC 7616 §3.3)`(
    challenges: String, reason: String
  ) async throws {
    let server = try await GuardedServer(challenges) { _ in true }
    try store.set(
      .password(user: "ada", password: "secret", for: .digest), for: server.url())
    let response = try await session.send(Request(url: server.url()))
    #expect(server.fields == [nil])
    #expect(
      response.authenticationError?.message
        == "http://127.0.0.1:\(server.server.port) requires authentication\(reason)")
  }

  @Test func `without a credential, the refusal is the response`() async throws {
    let server = try await GuardedServer("Basic realm=r") { _ in false }
    let response = try await session.send(Request(url: server.url()))
    #expect(response.status == .unauthorized && response.authenticationError == nil)
    #expect(try await response.body.collect() == ByteBuffer(string: "who are you?"))
    #expect(server.fields == [nil])
  }

  @Test func `an Authorization of the caller's goes out first, and is replaced when it is refused`()
    async throws
  {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    try store.set(Credential.ada, for: server.url())
    var request = Request(url: server.url())
    request.headers[.authorization] = "Basic of-the-caller"
    #expect(try await session.send(request).status == .ok)
    #expect(server.fields == ["Basic of-the-caller", Credential.adaInBasic])
  }

  @Test func `an Authorization of the caller's replaces a credential that is known already`()
    async throws
  {
    let server = try await GuardedServer("Basic realm=r") { $0.hasPrefix("Basic ") }
    try store.set(Credential.ada, for: server.url())
    _ = try await session.send(Request(url: server.url()))
    var request = Request(url: server.url())
    request.headers[.authorization] = "Basic of-the-caller"
    #expect(try await session.send(request).status == .ok)
    #expect(server.fields == [nil, Credential.adaInBasic, "Basic of-the-caller"])
  }

  // MARK: Bodies

  @Test func `a body is sent again`() async throws {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    try store.set(Credential.ada, for: server.url())
    var request = Request(.post, url: server.url())
    request.body = .producer(length: nil) { try await $0(ByteBuffer(string: "again")) }
    #expect(try await session.send(request).status == .ok)
    #expect(server.visits.map(\.body) == ["again", "again"])
  }

  @Test func `a challenge is an error if the body can be sent only once`() async throws {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    try store.set(Credential.ada, for: server.url())
    let request = Request(
      .post, url: server.url(),
      body: .producer(length: nil, isReplayable: false) { try await $0(ByteBuffer(string: "x")) })
    let error = await #expect(throws: MartletError.self) { try await session.send(request) }
    #expect(error?.code == .bodyNotReplayable)
    #expect(error?.response?.status == .unauthorized)
    #expect(
      error?.message
        == "The request has to be sent again, but its body can be sent only once: make it replayable, or hold it in memory or in a file."
    )
  }

  @Test(.covers("SES-B1"))
  func `a body that can be sent only once comes anew from its hook`() async throws {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    session.onAuthenticationChallenge = { _, _ in .useCredential(Credential.ada) }
    session.onNeedNewBody = { _ in .text("second") }
    let request = Request(
      .post, url: server.url(),
      body: .producer(length: 5, isReplayable: false) { try await $0(ByteBuffer(string: "first")) })
    #expect(try await session.send(request).status == .ok)
    #expect(server.visits.map(\.body) == ["first", "second"])
  }

  @Test(arguments: [Delivery.buffered, .stream, .discard])
  func `the body of a refusal never reaches the caller`(delivery: Delivery) async throws {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    try store.set(Credential.ada, for: server.url())
    var request = Request(url: server.url())
    request.delivery = delivery
    let response = try await session.send(request)
    let body = String(buffer: try await response.body.collect())
    #expect(body == "welcome" || body == "")
    #expect(server.server.connectionCount == 1)
  }

  @Test func `a file gets the body of the accepted request, and no other`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    try store.set(Credential.ada, for: server.url())
    var request = Request(url: server.url())
    request.delivery = .file(at: file)
    _ = try await session.send(request)
    #expect(try String(contentsOf: file, encoding: .utf8) == "welcome")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["body"])
  }

  // MARK: Refusals

  @Test func `after a wrong password, the refusal is the response and names the reason`()
    async throws
  {
    let server = try await GuardedServer(#"Basic realm="The Vault""#) { _ in false }
    try store.set(Credential.ada, for: server.url())
    let response = try await session.send(Request(url: server.url()))
    #expect(response.status == .unauthorized)
    #expect(response.authenticationError?.code == .credentialsRefused)
    #expect(
      response.authenticationError?.message
        == "\(server.url().absoluteString.dropLast()) refuses the user's name and password for “The Vault”: check them."
    )
    #expect(try await response.body.collect() == ByteBuffer(string: "who are you?"))
    #expect(server.fields == [nil, Credential.adaInBasic])
  }

  @Test func `the reason of a refusal is beneath the error about its status`() async throws {
    let server = try await GuardedServer("Basic realm=r") { _ in false }
    try store.set(Credential.ada, for: server.url())
    let response = try await session.send(Request(url: server.url()))
    let validation = HTTPResponseSerializer().validation(of: response, data: Data())
    #expect(validation.error?.code == .unacceptableStatusCode)
    #expect((validation.error?.underlying as? MartletError)?.code == .credentialsRefused)
  }

  @Test func `schemes that are not supported are named`() async throws {
    let server = try await GuardedServer("Negotiate, Hoba challenge=x") { _ in false }
    try store.set(Credential.ada, for: server.url())
    let response = try await session.send(Request(url: server.url()))
    #expect(response.authenticationError?.code == .unsupportedAuthentication)
    #expect(
      response.authenticationError?.message
        == "\(server.url().absoluteString.dropLast()) requires authentication by “negotiate”, “hoba”, which the credential cannot answer: Digest, Basic and Bearer are supported."
    )
    #expect(server.fields == [nil])
  }

  @Test func `a refusal without any challenge has a message of its own`() async throws {
    let server = try await GuardedServer { _ in false }
    try store.set(Credential.ada, for: server.url())
    let response = try await session.send(Request(url: server.url()))
    #expect(
      response.authenticationError?.message
        == "\(server.url().absoluteString.dropLast()) requires authentication and sent no challenge that can be read: have it send a `WWW-Authenticate` field."
    )
  }

  @Test func `a server to which every nonce is out of date is given up`() async throws {
    let server = try await GuardedServer("Digest realm=r, nonce=n, qop=auth, stale=true") { _ in
      false
    }
    try store.set(Credential.ada, for: server.url())
    let response = try await session.send(Request(url: server.url()))
    #expect(response.authenticationError?.code == .credentialsRefused)
    #expect(
      response.authenticationError?.message
        == "\(server.url().absoluteString.dropLast()) rejected all 4 answers to its challenges as out of date: it may have lost its challenges, or several servers answer under its name."
    )
    #expect(server.visits.count == 5)
  }

  @Test func `a password that was accepted once and is then refused is not sent again`()
    async throws
  {
    let isOpen = Locked(true)
    let server = try await GuardedServer("Basic realm=r") { _ in isOpen.current }
    try store.set(Credential.ada, for: server.url())
    #expect(try await session.send(Request(url: server.url())).status == .ok)
    isOpen.withLock { $0 = false }
    let response = try await session.send(Request(url: server.url()))
    #expect(response.authenticationError?.code == .credentialsRefused)
    #expect(server.fields == [nil, Credential.adaInBasic, Credential.adaInBasic])
  }

  @Test func `the domain of a Digest challenge is about its own server (RFC 7616 §3.3)`()
    async throws
  {
    let other = try await GuardedServer("Basic realm=r") { _ in false }
    let challenge = "Digest realm=r, nonce=n, qop=auth, domain=\"\(other.url("/"))\""
    let server = try await GuardedServer(challenge) { $0.hasPrefix("Digest ") }
    try store.set(Credential.ada, for: server.url("/"))
    for path in ["/a", "/b"] {
      #expect(try await session.send(Request(url: server.url(path))).status == .ok)
    }
    #expect(try await session.send(Request(url: other.url("/"))).status == .unauthorized)
    // The answer counts nowhere else, so that each path is challenged.
    #expect(server.fields.map { $0 == nil } == [true, false, true, false])
    #expect(other.fields == [nil])
  }

  // MARK: Redirects

  @Test func `credentials of one server are shown to no other`() async throws {
    let other = try await GuardedServer("Basic realm=r") { _ in false }
    let target = other.url("/there").absoluteString
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .any("/*") { request in
          guard request.headers.contains(.authorization) else {
            return ServerResponse(
              .unauthorized, headers: [.wwwAuthenticate: "Basic realm=r"])
          }
          return ServerResponse(.found, headers: [.location: target])
        }
      ]))
    try store.set(Credential.ada, for: server.url("/"))
    #expect(try await session.send(Request(url: server.url("/"))).status == .unauthorized)
    #expect(
      try await session.send(Request(url: server.url("/").naming("a", "b"))).status.code == 401)
    var request = Request(url: server.url("/"))
    request.headers[.authorization] = "Basic by-hand"
    #expect(try await session.send(request).status == .unauthorized)
    #expect(other.fields == [nil, nil, nil])
  }

  @Test func `a redirect to the same server keeps the credential of the URL`() async throws {
    let redirecting = try await LoopbackServer.start(
      router: ServerRouter([
        .any("/first") { _ in ServerResponse(.found, headers: [.location: "/second"]) },
        .any("/second") { request in .text(request.headers[.authorization] ?? "nobody") },
      ]))
    let url = redirecting.url("/first").naming("ada", "secret")
    let response = try await session.send(Request(url: url))
    #expect(try await response.body.collect() == ByteBuffer(string: Credential.adaInBasic))
  }

  @Test func `a credential in the URL of a redirect to another server is not used`() async throws {
    let other = try await GuardedServer("Basic realm=r") { _ in true }
    let target = other.url("/there").naming("mallory", "x").absoluteString
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .any("/*") { _ in ServerResponse(.found, headers: [.location: target]) }
      ]))
    _ = try await session.send(Request(url: server.url("/")))
    #expect(other.fields == [nil])
  }
}
