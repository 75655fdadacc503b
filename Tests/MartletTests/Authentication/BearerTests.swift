import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import Testing

@testable import class MartletEssentials.BearerTokenProvider
@testable import struct MartletEssentials.RefreshLimit

/// Tokens that run out.
@Suite(.timeLimit(.minutes(5)))
struct BearerTests {
  private struct Failure: Error, CustomStringConvertible {
    let description = "the issuer is closed"
  }

  private func session(_ tokens: BearerTokenProvider) -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.authentication.tokenProviders = [tokens]
    return URLSessionManager(configuration: configuration)
  }

  @Test func `a thousand requests that meet an expired token refresh it once`() async throws {
    let server = try await GuardedServer("Bearer error=invalid_token") { $0 == "Bearer new" }
    let refreshes = Locked<[String?]>([])
    let tokens = try BearerTokenProvider(for: server.url(), token: "old") { refused in
      refreshes.withLock { $0.append(refused) }
      return "new"
    }
    let session = session(tokens)
    let url = server.url()
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1000 {
        group.addTask { try await session.send(Request(url: url)).status.code }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 1000))
    #expect(refreshes.current == ["old"])
  }

  @Test func `the first token is asked for, and every request carries it`() async throws {
    let server = try await GuardedServer("Bearer") { $0 == "Bearer first" }
    let session = session(
      try BearerTokenProvider(for: server.url()) { refused in
        #expect(refused == nil)
        return "first"
      })
    for _ in 0..<3 { #expect(try await session.send(Request(url: server.url())).status == .ok) }
    #expect(server.fields == ["Bearer first", "Bearer first", "Bearer first"])
  }

  @Test func `a token is shown to its own servers only`() async throws {
    let server = try await GuardedServer("Bearer") { _ in true }
    let other = try await GuardedServer("Bearer") { _ in false }
    let session = session(
      try BearerTokenProvider(for: server.url(), token: "t") { _ in throw Failure() })
    #expect(try await session.send(Request(url: server.url())).status == .ok)
    let refusal = try await session.send(Request(url: other.url()))
    #expect(refusal.status == .unauthorized && refusal.authenticationError == nil)
    #expect(server.fields == ["Bearer t"] && other.fields == [nil])
  }

  @Test func `an Authorization of the caller's goes out in place of the token`() async throws {
    let server = try await GuardedServer("Bearer") { _ in true }
    let session = session(try BearerTokenProvider(for: server.url(), token: "t") { _ in "u" })
    var request = Request(url: server.url())
    request.headers[.authorization] = "Custom"
    _ = try await session.send(request)
    #expect(server.fields == ["Custom"])
  }

  @Test func `a token that is refused after it was refreshed is not refreshed again`() async throws
  {
    let server = try await GuardedServer("Bearer") { _ in false }
    let session = session(try BearerTokenProvider(for: server.url(), token: "old") { _ in "new" })
    let response = try await session.send(Request(url: server.url()))
    #expect(response.status == .unauthorized)
    #expect(
      response.authenticationError?.message
        == "\(server.url().absoluteString.dropLast()) refuses the token, and also the renewed token: check the code that renews it."
    )
    #expect(server.fields == ["Bearer old", "Bearer new"])
  }

  @Test func `a token that cannot be refreshed ends the request, and says why`() async throws {
    let server = try await GuardedServer("Bearer") { _ in false }
    let session = session(
      try BearerTokenProvider(for: server.url(), token: "old") { _ in throw Failure() })
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(url: server.url()))
    }
    #expect(error?.code == .authenticationFailed)
    #expect(error?.underlying is Failure)
    #expect(
      error?.message
        == "The token for \(server.url().absoluteString.dropLast()) could not be renewed: the issuer is closed."
    )
  }

  @Test(arguments: [nil, 3])
  func `a server that refuses every token is not stormed: five times a minute are the default`(
    limit: Int?
  ) async throws {
    let server = try await GuardedServer("Bearer") { _ in false }
    let refreshes = Locked(0)
    let refresh: BearerTokenProvider.Refresh = { _ in
      refreshes.withLock { count in
        count += 1
        return "\(count)"
      }
    }
    let tokens =
      if let limit {
        try BearerTokenProvider(
          for: server.url(), token: "0", maximumRefreshesPerMinute: limit, refresh: refresh)
      } else {
        try BearerTokenProvider(for: server.url(), token: "0", refresh: refresh)
      }
    let session = session(tokens)
    for _ in 0..<10 {
      #expect(try await session.send(Request(url: server.url())).status == .unauthorized)
    }
    #expect(refreshes.current == limit ?? 5)
    let last = try await session.send(Request(url: server.url()))
    #expect(
      last.authenticationError?.message
        == "\(server.url().absoluteString.dropLast()) refuses the token: check that it is for this server, and has not expired."
    )
  }

  @Test func `refreshes are counted within a minute`() throws {
    var limit = RefreshLimit(count: 2)
    let start = ContinuousClock.now
    try limit.record(start)
    try limit.record(start + .seconds(1))
    #expect(!limit.admits(start + .seconds(59)))
    let error = #expect(throws: MartletError.self) { try limit.record(start + .seconds(59)) }
    #expect(
      error?.message
        == "The token would have to be renewed more than 2 times within a minute: check the code that renews it."
    )
    #expect(limit.admits(start + .seconds(60)))
  }

  @Test func `a request that is cancelled while a token is refreshed leaves the others to it`()
    async throws
  {
    let server = try await GuardedServer("Bearer") { $0 == "Bearer new" }
    let isRenewing = AwaitableValue(false)
    let (go, goOn) = AsyncStream<Void>.makeStream()
    let session = session(
      try BearerTokenProvider(for: server.url(), token: "old") { _ in
        isRenewing.update { $0 = true }
        for await _ in go { break }
        return "new"
      })
    let url = server.url()
    let impatient = Task { try await session.send(Request(url: url)) }
    let patient = Task { try await session.send(Request(url: url)) }
    try await isRenewing.wait(until: { $0 })
    impatient.cancel()
    let error = await #expect(throws: MartletError.self) { try await impatient.value }
    #expect(error?.code == .cancelled)
    goOn.yield()
    #expect(try await patient.value.status == .ok)
  }

  @Test func `a token that no field can hold is an error`() async throws {
    let server = try await GuardedServer("Bearer") { _ in true }
    let session = session(
      try BearerTokenProvider(for: server.url(), token: "a\r\nX: y") { _ in "" })
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(url: server.url()))
    }
    #expect(error?.code == .invalidHeader)
    #expect(server.visits.isEmpty)
  }

  @Test func `a token provider that is printed shows its server only`() throws {
    let url = try #require(URL(string: "https://api.example.com/v1"))
    let tokens = try BearerTokenProvider(for: url, token: "canary") { _ in "canary" }
    var shown = "\(tokens) \(String(reflecting: tokens))"
    dump(tokens, to: &shown)
    #expect(!shown.contains("canary"))
    #expect("\(tokens)" == "BearerTokenProvider for https://api.example.com")
  }
}
