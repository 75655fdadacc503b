import Foundation
import Martlet
import MartletTesting
import Testing

/// Challenges whose own bodies are never complete.
@Suite(.timeLimit(.minutes(5)))
struct BrokenChallengeTests {
  private static let unauthorized =
    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"

  /// What the requests said of themselves: the first meets a challenge with the body.
  private func answers(
    to body: BrokenBody, _ prepare: (URLSessionManager, CredentialStore, URL) throws -> Void
  ) async throws -> [String?] {
    let server = try await ScriptedServer.start(
      body.script(after: Self.unauthorized), .text("welcome"))
    let store = CredentialStore()
    let session = URLSessionManager(knowing: store)
    try prepare(session, store, server.url())
    let start = ContinuousClock.now
    let response = try await session.send(Request(url: server.url("/x")))
    #expect(response.status == .ok)
    #expect(start.duration(to: .now) < .seconds(30), "The body is not waited for.")
    await server.stop()
    return server.receivedRequests.map { $0.header("authorization") }
  }

  @Test(arguments: BrokenBody.allCases)
  func `a credential that is known answers a challenge, however its body ends`(
    body: BrokenBody
  ) async throws {
    let answers = try await answers(to: body) { try $1.set(Credential.ada, for: $2) }
    #expect(answers == [nil, Credential.adaInBasic])
  }

  @Test(arguments: BrokenBody.allCases)
  func `a hook answers a challenge, however its body ends`(body: BrokenBody) async throws {
    let answers = try await answers(to: body) { session, _, _ in
      session.onAuthenticationChallenge = { _, _ in .useCredential(Credential.ada) }
    }
    #expect(answers == [nil, Credential.adaInBasic])
  }
}
