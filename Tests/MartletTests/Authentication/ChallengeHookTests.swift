import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// What a session's challenge hook may say, and what comes of it.
@Suite(.timeLimit(.minutes(5)))
struct ChallengeHookTests {
  private struct Failure: Error, CustomStringConvertible {
    let description = "the vault is shut"
  }

  private let store = CredentialStore()
  private let server: GuardedServer
  private let session: URLSessionManager

  init() async throws {
    server = try await GuardedServer(#"Basic realm="r""#) { $0 == Credential.adaInBasic }
    session = URLSessionManager(knowing: store)
    session.completionQueue = .global()
  }

  @Test(.covers("SES-A3"))
  func `a credential that the hook gives is shown`() async throws {
    let origin = try Origin(of: server.url())
    session.onAuthenticationChallenge = { task, challenge in
      #expect(task.originalRequest.url.path == "/x")
      #expect(challenge.protectionSpace == ProtectionSpace(origin: origin, realm: "r"))
      #expect(challenge.challenges.map(\.scheme) == ["basic"])
      #expect(challenge.previousFailureCount == 0 && challenge.proposedCredential == nil)
      #expect(challenge.failureResponse.status == .unauthorized)
      return .useCredential(Credential.ada)
    }
    let response = try await session.send(Request(url: server.url("/x")))
    #expect(response.status == .ok)
    #expect(server.fields == [nil, Credential.adaInBasic])
    #expect(server.server.connectionCount == 1)
  }

  @Test(.covers("SES-A3", "T-HTM-37"))
  func `a manager's hook answers for one realm, and leaves the others alone`() async throws {
    let server = try await Httpbin()
    let api = HTTPSessionManager(baseURL: server.base)
    api.responseSerializer = HTTPResponseSerializer()
    api.session.onAuthenticationChallenge = { _, challenge in
      guard challenge.protectionSpace.realm == "Fake Realm" else { return .performDefaultHandling }
      return .useCredential(.password(user: "user", password: "passwd"))
    }
    let response = try await api.get("basic-auth/user/passwd")
    #expect(response.status == .ok)
  }

  @Test(.covers("SES-A3", "SES-A4"))
  func `the hook may take its time, and answers once`() async throws {
    let (answers, answer) = AsyncStream<Credential>.makeStream()
    let asked = AwaitableValue(0)
    session.onAuthenticationChallenge = { _, _ in
      asked.update { $0 += 1 }
      for await credential in answers { return .useCredential(credential) }
      return .cancel
    }
    async let response = session.send(Request(url: server.url()))
    try await asked.wait(until: { $0 == 1 })
    answer.yield(Credential.ada)
    #expect(try await response.status == .ok)
    #expect(asked.current == 1)
  }

  @Test(.covers("SES-A3"))
  func `an error that the hook gives ends the task`() async throws {
    session.onAuthenticationChallenge = { _, _ in .fail(Failure()) }
    let end = await session.end(of: Request(url: server.url()))
    #expect(end.error?.code == .authenticationFailed)
    #expect(end.error?.underlying is Failure)
    #expect(
      end.error?.message
        == "The challenge of \(server.url().absoluteString.dropLast()) was not answered: the vault is shut."
    )
    #expect(server.fields == [nil])
  }

  @Test(.covers("SES-A3"))
  func `the hook can leave it to the session`() async throws {
    try store.set(Credential.ada, for: server.url())
    session.onAuthenticationChallenge = { _, challenge in
      #expect(challenge.proposedCredential == Credential.ada)
      return .performDefaultHandling
    }
    #expect(try await session.send(Request(url: server.url())).status == .ok)
    #expect(server.fields == [nil, Credential.adaInBasic])
  }

  @Test(.covers("SES-A2", "SES-A3"))
  func `left to a session without a credential, the refusal is the response`() async throws {
    session.onAuthenticationChallenge = { _, _ in .performDefaultHandling }
    let response = try await session.send(Request(url: server.url()))
    #expect(response.status == .unauthorized && response.authenticationError == nil)
    #expect(try await response.body.collect() == ByteBuffer(string: "who are you?"))
  }

  @Test(.covers("SES-A3"))
  func `the hook can cancel`() async throws {
    session.onAuthenticationChallenge = { _, _ in .cancel }
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(url: server.url()))
    }
    #expect(error?.code == .cancelled)
    session.invalidateSession(cancelingTasks: false)
    try await server.server.waitForOpenConnections(0)
  }

  @Test(.covers("SES-A3"))
  func `the hook can reject a place although the session has a credential for it`() async throws {
    try store.set(Credential.ada, for: server.url())
    session.onAuthenticationChallenge = { _, _ in .rejectProtectionSpace }
    #expect(try await session.send(Request(url: server.url())).status == .unauthorized)
    #expect(server.fields == [nil])
  }

  @Test func `the hook receives the number of its failures, until it gives up`() async throws {
    let failures = Locked<[Int]>([])
    session.onAuthenticationChallenge = { _, challenge in
      failures.withLock { $0.append(challenge.previousFailureCount) }
      guard challenge.previousFailureCount < 2 else { return .rejectProtectionSpace }
      return .useCredential(
        .password(user: "ada", password: "guess \(challenge.previousFailureCount)"))
    }
    let response = try await session.send(Request(url: server.url()))
    #expect(response.status == .unauthorized)
    #expect(failures.current == [0, 1, 2])
  }

  @Test func `a hook that never gives up is asked four times`() async throws {
    let count = Locked(0)
    session.onAuthenticationChallenge = { _, challenge in
      count.withLock { $0 += 1 }
      return .useCredential(
        .password(user: "ada", password: "guess \(challenge.previousFailureCount)"))
    }
    let response = try await session.send(Request(url: server.url()))
    #expect(response.authenticationError?.code == .credentialsRefused)
    #expect(count.current == 4)
  }

  @Test func `a credential that the hook repeats is not sent twice`() async throws {
    let wrong = Credential.password(user: "ada", password: "wrong")
    session.onAuthenticationChallenge = { _, _ in .useCredential(wrong) }
    let response = try await session.send(Request(url: server.url()))
    #expect(response.authenticationError?.code == .credentialsRefused)
    #expect(server.visits.count == 2)
  }

  @Test(arguments: ["buffer", "stream", "file", "discard"])
  func `a refusal that the hook does not answer is delivered as the caller wants it`(kind: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    session.onAuthenticationChallenge = { _, _ in .rejectProtectionSpace }
    var request = Request(url: server.url())
    switch kind {
    case "stream": request.delivery = .stream
    case "file": request.delivery = .file(at: file)
    case "discard": request.delivery = .discard
    default: break
    }
    let response = try await session.send(request)
    let body = String(buffer: try await response.body.collect())
    #expect(body == (kind == "discard" ? "" : "who are you?"))
    #expect((response.body.file == file) == (kind == "file"))
    #expect((response.body.bytes == nil) == (kind == "stream" || kind == "file"))
    #expect(server.server.connectionCount == 1)
  }

  @Test(arguments: [true, false])
  func `a task is cancelled while the hook thinks`(byTask: Bool) async throws {
    let asked = AwaitableValue<SessionTask?>(nil)
    session.onAuthenticationChallenge = { task, _ in
      asked.update { $0 = task }
      try? await Task.sleep(for: .seconds(3600))
      return .cancel
    }
    let session = session
    let url = server.url()
    let sending = Task { try await session.send(Request(url: url)) }
    try await asked.wait(until: { $0 != nil })
    if byTask { asked.current?.cancel() } else { sending.cancel() }
    let error = await #expect(throws: MartletError.self) { try await sending.value }
    #expect(error?.code == .cancelled)
    asked.update { $0 = nil }
    session.invalidateSession(cancelingTasks: false)
    try await server.server.waitForOpenConnections(0)
  }
}
