import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Servers, hooks and stores that do not make it easy.
@Suite(.timeLimit(.minutes(5)))
struct StubbornServerTests {

  private let store = CredentialStore()
  private let session: URLSessionManager

  init() {
    session = URLSessionManager(knowing: store)
  }

  // MARK: Hooks

  @Test(arguments: ["Negotiate", "Basic realm=r"])
  func `a hook whose credential fits no challenge is not asked again and again`(challenge: String)
    async throws
  {
    let server = try await GuardedServer(challenge) { _ in false }
    let asked = Locked(0)
    session.onAuthenticationChallenge = { _, challenge in
      let count = asked.withLock { count in
        count += 1
        return count
      }
      return challenge.previousFailureCount > 0
        ? .cancel : .useCredential(.bearer("token \(count)"))
    }
    let response = try await session.send(Request(.post, url: server.url(), body: .text("x")))
    #expect(response.authenticationError?.code == .unsupportedAuthentication)
    #expect(asked.current == 1)
    #expect(server.fields == [nil])
  }

  @Test(arguments: [0, 100])
  func `a task is cancelled while the hook thinks, though the refusal has come whole`(
    after milliseconds: Int
  ) async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest,
        .send("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=r\r\nContent-Length: 4\r\n\r\n"),
        .wait(.milliseconds(20)), .send("who?"), .stall,
      ]))
    let isAsked = AwaitableValue(false)
    session.onAuthenticationChallenge = { task, _ in
      isAsked.update { $0 = true }
      try? await Task.sleep(for: .seconds(3600))
      return .cancel
    }
    var request = Request(url: server.url())
    let call = Call()
    request.call = call
    let sending = Task { [session, request] in try await session.send(request) }
    try await isAsked.wait { $0 }
    // The body comes 20 ms after the head, and with it the end of the response.
    try await Task.sleep(for: .milliseconds(milliseconds))
    call.cancel()
    let error = await #expect(throws: MartletError.self) { try await sending.value }
    #expect(error?.code == .cancelled)
  }

  // MARK: Stores

  @Test func `what is taken out of the store is not sent any more`() async throws {
    let server = try await GuardedServer("Basic realm=r") { $0.hasPrefix("Basic ") }
    try store.set(Credential.ada, for: server.url())
    _ = try await session.send(Request(url: server.url()))
    try store.set(.password(user: "bob", password: "s"), for: server.url())
    _ = try await session.send(Request(url: server.url()))
    store.removeAll()
    #expect(try await session.send(Request(url: server.url())).status == .unauthorized)
    #expect(server.fields == [nil, Credential.adaInBasic, nil, "Basic Ym9iOnM=", nil])
  }

  @Test func `a credential that was refused is not sent from the start again`() async throws {
    let isOpen = Locked(true)
    let server = try await GuardedServer("Basic realm=r") { _ in isOpen.current }
    session.onAuthenticationChallenge = { _, challenge in
      challenge.previousFailureCount == 0 ? .useCredential(Credential.ada) : .rejectProtectionSpace
    }
    _ = try await session.send(Request(url: server.url()))
    isOpen.withLock { $0 = false }
    _ = try await session.send(Request(url: server.url()))
    session.onAuthenticationChallenge = { _, _ in .rejectProtectionSpace }
    _ = try await session.send(Request(url: server.url()))
    #expect(server.fields == [nil, Credential.adaInBasic, Credential.adaInBasic, nil])
  }

  @Test func `each of several realms gets its own answer`() async throws {
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .any("/*") { request in
          let realm = request.path.hasPrefix("/b") ? "b" : "a"
          let field = request.headers[.authorization] ?? ""
          if field.contains("realm=\"\(realm)\"") { return .text(field) }
          return ServerResponse(
            .unauthorized,
            headers: [
              .wwwAuthenticate:
                "Basic realm=basic, Digest realm=\"\(realm)\", nonce=\"\(realm)\", qop=auth"
            ])
        }
      ]))
    try store.set(Credential.ada, for: server.url("/"), realm: "a")
    try store.set(.password(user: "bob", password: "s"), for: server.url("/"), realm: "b")
    for (path, user) in [("/a", "ada"), ("/a", "ada"), ("/b", "bob"), ("/a", "ada"), ("/b", "bob")]
    {
      let response = try await session.send(Request(url: server.url(path)))
      let field = String(buffer: try await response.body.collect())
      #expect(field.contains("username=\"\(user)\""))
    }
  }

  // MARK: Redirects

  @Test(arguments: ["/home/x", "absolute"])
  func `the credential of the URL is sent wherever the same server redirects`(location: String)
    async throws
  {
    let base = Locked("")
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .any("/login/start") { _ in
          ServerResponse(
            .found,
            headers: [.location: location == "absolute" ? base.current + "home/x" : location])
        },
        .any("/home/x") { request in .text(request.headers[.authorization] ?? "nobody") },
      ]))
    base.withLock { $0 = server.url("/").absoluteString }
    let url = server.url("/login/start").naming("ada", "secret")
    let response = try await session.send(Request(url: url))
    #expect(try await response.body.collect() == ByteBuffer(string: Credential.adaInBasic))
    #expect(response.url == server.url("/home/x"))
  }

  // MARK: Digest

  @Test(arguments: ["bytes", "file", "stream"])
  func `a body is protected whatever it is made of`(kind: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    try Data("a tern".utf8).write(to: file)
    let server = try await LoopbackServer.start()
    try store.set(Credential.ada, for: server.url("/"))
    var request = Request(.post, url: server.url("/digest-auth/auth-int/ada/secret/SHA-256"))
    switch kind {
    case "file": request.body = try .file(at: file)
    case "stream":
      request.body = .producer(length: nil) { write in
        for part in ["a ", "tern"] { try await write(ByteBuffer(string: part)) }
      }
    default: request.body = .text("a tern")
    }
    #expect(try await session.send(request).status == .ok)
    #expect(server.requestCount == 2)
  }

  // MARK: Tokens

  @Test func `a place that requires a password does not receive the token a second time`()
    async throws
  {
    let server = try await GuardedServer("Basic realm=r") { $0 == Credential.adaInBasic }
    var configuration = SessionConfiguration()
    try configuration.authentication.credentials.set(Credential.ada, for: server.url())
    let refreshes = Locked(0)
    configuration.authentication.tokenProviders = [
      try BearerTokenProvider(for: server.url(), token: "t") { _ in
        refreshes.withLock { $0 += 1 }
        return "u"
      }
    ]
    let session = URLSessionManager(configuration: configuration)
    #expect(try await session.send(Request(url: server.url())).status == .ok)
    #expect(server.fields == ["Bearer t", Credential.adaInBasic] && refreshes.current == 0)
  }

  @Test func `a token that was set meanwhile outlives a refresh`() async throws {
    let server = try await GuardedServer("Bearer") { $0 == "Bearer renewed" || $0 == "Bearer set" }
    let isRenewing = AwaitableValue(false)
    let (go, goOn) = AsyncStream<Void>.makeStream()
    let tokens = try BearerTokenProvider(for: server.url(), token: "old") { _ in
      isRenewing.update { $0 = true }
      for await _ in go { break }
      return "renewed"
    }
    var configuration = SessionConfiguration()
    configuration.authentication.tokenProviders = [tokens]
    let session = URLSessionManager(configuration: configuration)
    let url = server.url()
    let first = Task { try await session.send(Request(url: url)) }
    try await isRenewing.wait(until: { $0 })
    tokens.set("set")
    goOn.yield()
    #expect(try await first.value.status == .ok)
    #expect(try await session.send(Request(url: url)).status == .ok)
    #expect(server.fields.last == "Bearer set")
  }

  @Test func `an error of the issuer's is not taken for the server's`() async throws {
    let server = try await GuardedServer("Bearer") { _ in false }
    let issuers = MartletError(.connectionFailed, "The issuer is away.", phase: .connect)
    var configuration = SessionConfiguration()
    configuration.authentication.tokenProviders = [
      try BearerTokenProvider(for: server.url()) { _ in throw issuers }
    ]
    let session = URLSessionManager(configuration: configuration)
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(url: server.url()))
    }
    #expect(error?.code == .authenticationFailed)
    #expect((error?.underlying as? MartletError)?.code == .connectionFailed)
  }
}
