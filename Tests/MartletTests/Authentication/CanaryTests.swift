import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Secrets stay where they were put: nothing that can be printed shows them.
@Suite(.timeLimit(.minutes(5)))
struct CanaryTests {
  private static let canary = "canary"

  /// Everything there is to print of one task, and of what it had to do with.
  private final class Cage: Sendable {
    private let heard = Locked("")

    func hear(_ things: Any...) {
      var text = ""
      for thing in things {
        text += "\(thing)\n\(String(reflecting: thing))\n"
        dump(thing, to: &text)
      }
      heard.withLock { [text] in $0 += text }
    }

    /// What stands before each secret that got out.
    func leaks(of secrets: String...) -> [String] {
      let text = heard.current
      return secrets.flatMap { secret in
        text.ranges(of: secret).map { String(text[..<$0.lowerBound].suffix(80)) }
      }
    }
  }

  @Test(
    arguments: ["Basic realm=r", "Digest realm=r, nonce=n, qop=auth", "Bearer", "Negotiate"],
    [true, false])
  func `secrets are in nothing that can be printed`(challenge: String, isRight: Bool) async throws {
    let server = try await GuardedServer(challenge) { field in
      isRight && challenge.hasPrefix(field.prefix(5))
    }
    let secret = Credential.password(user: Self.canary, password: Self.canary)
    var configuration = SessionConfiguration()
    try configuration.authentication.credentials.set(secret, for: server.url())
    let tokens = try BearerTokenProvider(for: server.url("/"), token: Self.canary) { _ in
      Self.canary + "2"
    }
    let cage = Cage()
    for way in ["url", "header", "store", "hook", "token"] {
      configuration.authentication.tokenProviders = way == "token" ? [tokens] : []
      let session = URLSessionManager(configuration: configuration)
      session.completionQueue = .global()
      session.onAuthenticationChallenge = { task, challenge in
        cage.hear(task, challenge)
        return way == "hook" ? .useCredential(secret) : .performDefaultHandling
      }
      var request = Request(
        url: way == "url" ? server.url().naming(Self.canary, Self.canary) : server.url())
      if way == "header" { request.headers[.authorization] = "Basic " + Self.canary }
      request.call = Call()
      request.call?.observe { cage.hear($0) }
      cage.hear(request)
      let end = await session.end(of: request)
      cage.hear(end.task, end.task.originalRequest, end.task.currentRequest)
      cage.hear(end.response as Any, end.response?.authenticationError as Any, end.error as Any)
      cage.hear(end.task.metrics as Any)
      cage.hear(session, configuration, configuration.authentication, secret, tokens)
    }
    let encoded = Data("canary:canary".utf8).base64EncodedString()
    #expect(cage.leaks(of: Self.canary, encoded) == [])
    // The test can fail: they were sent.
    let said = server.fields.compactMap(\.self)
    #expect(said.contains("Basic " + encoded) && said.contains("Basic " + Self.canary))
    #expect(said.contains("Bearer " + Self.canary))
    if challenge.hasPrefix("Digest") { #expect(said.contains { $0.hasPrefix("Digest ") }) }
  }
}
