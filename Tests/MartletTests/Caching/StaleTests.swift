import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Stale responses that are used while they are revalidated, or because the server fails (RFC 5861).
@Suite(.timeLimit(.minutes(5)))
struct StaleTests {
  private static let refused = MartletError(.connectionFailed, "refused")

  @Test(.covers("5861-3-a", "5861-3-b", "9211-2.4-a"))
  func `a stale response is used at once, and revalidated in the background (RFC 5861 §3)`()
    async throws
  {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=5, stale-while-revalidate=60"]),
      (200, [.cacheControl: "max-age=600"]))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    let stale = try await rig.send()
    #expect(stale.body.bytes == ByteBuffer(string: "1"))
    #expect(stale.cacheStatus?.description == "Martlet; hit; ttl=-5")
    try await eventually { rig.statistics().stored == 2 }
    #expect(rig.lastHeaders[.ifNoneMatch] == "\"a\"")
    #expect(try await rig.get() == "2")
    #expect(rig.sent.current.count == 2)
  }

  @Test func `there is one revalidation in the background at a time, and the session ends it`()
    async throws
  {
    let ended = Locked(false)
    var configuration = SessionConfiguration()
    configuration.cache = MemoryResponseCache()
    let count = Locked(0)
    configuration.transport = InProcessTransport { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 2 {
        do { try await Task.sleep(for: .seconds(600)) } catch {
          ended.withLock { $0 = true }
          throw error
        }
      }
      return .reply(
        200, [.cacheControl: "max-age=0, stale-while-revalidate=600"], "\(number)", to: request)
    }
    var session: URLSessionManager? = URLSessionManager(configuration: configuration)
    let request = try Request("http://h/")
    for _ in 0..<4 {
      let body = try await session?.send(request).body.collect()
      #expect(body == ByteBuffer(string: "1"))
    }
    try await eventually { count.current == 2 }
    await session?.shutDown()
    session = nil
    try await eventually { ended.current }
  }

  @Test(arguments: [false, true])
  func `a program can wait for the revalidations in the background, and no longer than it wants`(
    isSlow: Bool
  ) async throws {
    let (count, ended) = (Locked(0), Locked(false))
    let gate = AsyncStream<Void>.makeStream()
    var configuration = SessionConfiguration()
    configuration.cache = MemoryResponseCache()
    configuration.transport = InProcessTransport { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 2 {
        defer { ended.withLock { $0 = true } }
        if isSlow {
          try await Task.sleep(for: .seconds(600))
        } else {
          for await _ in gate.stream { break }
        }
      }
      return .reply(
        200, [.cacheControl: "max-age=0, stale-while-revalidate=600"], "\(number)", to: request)
    }
    let session = URLSessionManager(configuration: configuration)
    await session.finishRevalidations()
    for _ in 0..<2 { _ = try await session.send(Request("http://h/")) }
    try await eventually { count.current == 2 }
    let opening = Task { _ = gate.continuation.yield() }
    await session.finishRevalidations(within: isSlow ? .milliseconds(10) : .seconds(300))
    await opening.value
    #expect(ended.current)
    #expect(session.cacheStatistics.stored == (isSlow ? 1 : 2))
  }

  @Test(
    .covers("9111-4.3.3-b", "5861-4-a", "5861-4-d"),
    arguments: [500, 502, 503, 504, nil] as [Int?])
  func `a stale response is used when the server fails (RFC 5861 §4)`(status: Int?) async throws {
    let rig = CacheRig { request, number in
      if number == 1 {
        return .reply(
          200, [.eTag: "\"a\"", .cacheControl: "max-age=5, stale-if-error=60"], "1", to: request)
      }
      guard let status else { throw Self.refused }
      return .reply(status, [:], "failure", to: request)
    }
    #expect(try await rig.get() == "1")
    rig.wait(10)
    let stale = try await rig.send()
    #expect(stale.status == .ok && stale.body.bytes == ByteBuffer(string: "1"))
    let failure = status.map { "; fwd-status=\($0)" } ?? ""
    #expect(
      stale.cacheStatus?.description
        == "Martlet; fwd=stale\(failure); ttl=-5; detail=stale-if-error")
    #expect(stale.headers[.age] == "10")
    rig.wait(60)
    let error = await outcome(of: rig)
    #expect(status == nil ? error == .connectionFailed : error == nil)
  }

  /// The error of a request, or `nil` when it has a response with this body.
  private func outcome(of rig: CacheRig, with wanted: String = "failure") async
    -> MartletError.Code?
  {
    do {
      let body = try await rig.get()
      #expect(body == wanted)
      return nil
    } catch {
      return (error as? MartletError)?.code
    }
  }

  @Test(
    .covers("9111-4.2.4-b", "5861-4-b"),
    arguments: [
      ("max-age=5, stale-if-error=60", 404, [:], 0, false),
      ("max-age=5", 503, [:], 0, false),
      ("max-age=5", 503, [:], 60, true),
      ("max-age=5", 503, [.cacheControl: "stale-if-error=60"], 0, true),
      ("max-age=5, must-revalidate", 503, [:], 60, false),
      ("max-age=5, stale-if-error=60", 503, [.cacheControl: "no-cache"], 60, false),
    ] as [(String, Int, HTTPFields, Int, Bool)])
  func `the server, the request or the session must allow it (RFC 5861 §4)`(
    control: String, status: Int, headers: HTTPFields, seconds: Int, isUsed: Bool
  ) async throws {
    var options = CacheOptions()
    options.acceptedStalenessAfterErrors = TimeInterval(seconds)
    let rig = CacheRig(options, answering: (200, [.cacheControl: control]), (status, [:]))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    #expect(try await rig.get("/", headers) == (isUsed ? "1" : "2"))
  }

  @Test(arguments: [
    MartletError.Code.malformedResponse, .connectionLost, .timedOut, .tlsFailed, .proxyFailed,
    .certificateUntrusted, .headTooLarge,
  ])
  func
    `a stale response is used for an answer that is not HTTP, and not for an untrusted certificate`(
      code: MartletError.Code
    ) async throws
  {
    let rig = CacheRig { request, number in
      guard number == 1 else { throw MartletError(code, "") }
      return .reply(200, [.cacheControl: "max-age=5, stale-if-error=60"], "1", to: request)
    }
    #expect(try await rig.get() == "1")
    rig.wait(10)
    let isUsed = code != .certificateUntrusted && code != .headTooLarge
    #expect(await outcome(of: rig, with: "1") == (isUsed ? nil : code))
  }

  @Test func `so it is after a confirmation that fits no stored response (RFC 5861 §4)`()
    async throws
  {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=5, stale-if-error=60"]),
      (304, [.eTag: "\"b\""]), (503, [:]))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    #expect(try await rig.get() == "1")
    #expect(rig.sent.current.count == 3)
  }

  @Test func `a cancelled request is not answered by a stale response`() async throws {
    var options = CacheOptions()
    options.acceptedStalenessAfterErrors = 60
    let rig = CacheRig(MemoryResponseCache(), options) { request, number in
      guard number == 1 else { throw MartletError.cancelled }
      return .reply(200, [:], "1", to: request)
    }
    try await rig.send()
    let error = await failure { try await rig.send() }
    #expect(error?.code == .cancelled)
  }

  @Test func `a request that allows only a stored response causes no revalidation (§5·2·1·7)`()
    async throws
  {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=5, stale-while-revalidate=60"]))
    try await rig.send()
    rig.wait(10)
    let error = await failure { try await rig.get("/", [.cacheControl: "only-if-cached"]) }
    #expect(error?.code == .notCached)
    try await rig.send(.get, "/other")
    #expect(rig.sent.current.map(\.url.path) == ["/", "/other"])
  }

  @Test func `a revalidation in the background belongs to no task, and sets no cookies`()
    async throws
  {
    let count = Locked(0)
    var configuration = SessionConfiguration()
    configuration.cache = MemoryResponseCache()
    configuration.transport = InProcessTransport { request in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      let fields: HTTPFields =
        isFirst
        ? [.cacheControl: "max-age=0, stale-while-revalidate=600"]
        : [.cacheControl: "max-age=60", .setCookie: "a=1"]
      return .reply(200, fields, "", to: request)
    }
    let session = URLSessionManager(configuration: configuration)
    let request = try Request("http://h/")
    for _ in 0..<2 { _ = try await session.send(request) }
    try await eventually { session.cacheStatistics.stored == 2 }
    #expect(try await session.send(request).headers[.setCookie] == "a=1")
    #expect(configuration.cookieJar?.isEmpty == true)
    #expect(count.current == 2)
  }
}
