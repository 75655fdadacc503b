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

/// Identical requests that share one exchange (RFC 9111 §4).
@Suite(.timeLimit(.minutes(5)))
struct CollapsedRequestTests {
  private static let collapsing: CacheOptions = {
    var options = CacheOptions()
    options.collapsesRequests = true
    return options
  }()

  /// Whether the server answers.
  private let isOpen = AwaitableValue(false)

  private func rig(_ fields: HTTPFields, body: String = "tern", _ cache: MemoryResponseCache? = nil)
    -> CacheRig
  {
    let isOpen = isOpen
    return CacheRig(cache ?? MemoryResponseCache(), Self.collapsing) { request, number in
      try await isOpen.waitWithoutLimit { $0 }
      return .reply(200, fields, body, to: request)
    }
  }

  private func send(_ count: Int, to rig: CacheRig) async throws -> [Response] {
    try await withThrowingTaskGroup(of: Response.self) { group in
      for _ in 0..<count { group.addTask { try await rig.send() } }
      group.addTask {
        try await eventually { rig.waitingCount() == count }
        isOpen.update { $0 = true }
        return Response(head: ResponseHead(status: .noContent), url: URL(fileURLWithPath: "/"))
      }
      return try await group.reduce(into: []) { if $1.status == .ok { $0.append($1) } }
    }
  }

  @Test(.covers("9211-2.6-a"))
  func `identical requests share one exchange`() async throws {
    let rig = rig([.cacheControl: "max-age=60"])
    let responses = try await send(4, to: rig)
    #expect(responses.count == 4)
    #expect(responses.allSatisfy { $0.body.bytes == ByteBuffer(string: "tern") })
    #expect(rig.sent.current.count == 1)
    let fields = responses.compactMap { $0.headers[.cacheStatus] }.sorted()
    let sent = "Martlet; fwd=uri-miss; fwd-status=200; stored"
    #expect(fields == [sent] + Array(repeating: sent + "; collapsed", count: 3))
    #expect(rig.statistics().collapsed == 3)
    #expect(try await rig.send().cacheStatus?.isHit == true)
  }

  @Test(.covers("9111-4-j"))
  func `what may not be stored is not shared`() async throws {
    let rig = rig([.cacheControl: "no-store"])
    #expect(try await send(3, to: rig).count == 3)
    #expect(rig.sent.current.count == 3)
  }

  @Test func `a body that is too large for memory is not shared, and not lost`() async throws {
    let body = String(repeating: "x", count: 3000)
    let rig = rig([.cacheControl: "max-age=60"], body: body, MemoryResponseCache(capacity: 20_000))
    for response in try await send(2, to: rig) {
      #expect(try await response.body.collect() == ByteBuffer(string: body))
    }
    #expect(rig.sent.current.count == 2)
  }

  @Test func `each is cancelled alone, and the last one ends the exchange`() async throws {
    let rig = rig([.cacheControl: "max-age=60"])
    let tasks = (0..<3).map { _ in Task { try await rig.send() } }
    try await eventually { rig.waitingCount() == 3 }
    tasks[0].cancel()
    let error = await failure { try await tasks[0].value }
    #expect(error?.code == .cancelled)
    isOpen.update { $0 = true }
    for task in tasks.dropFirst() {
      #expect(try await task.value.body.bytes == ByteBuffer(string: "tern"))
    }
    #expect(rig.sent.current.count == 1)
  }

  @Test func `an exchange that no request waits for is cancelled`() async throws {
    let isCancelled = Locked(false)
    let rig = CacheRig(MemoryResponseCache(), Self.collapsing) { _, _ in
      do { try await Task.sleep(for: .seconds(600)) } catch {
        isCancelled.withLock { $0 = true }
        throw error
      }
      throw MartletError.cancelled
    }
    let call = Call()
    var request = try Request("http://h/")
    request.call = call
    let waiting = Task { [request] in try await rig.send(request) }
    try await eventually { rig.sent.current.count == 1 }
    call.cancel()
    let error = await failure { try await waiting.value }
    #expect(error?.code == .cancelled)
    try await eventually { isCancelled.current }
  }

  @Test func `an error of the exchange is the error of all`() async throws {
    let isOpen = isOpen
    let rig = CacheRig(MemoryResponseCache(), Self.collapsing) { _, _ in
      try await isOpen.waitWithoutLimit { $0 }
      throw MartletError(.connectionFailed, "refused")
    }
    let tasks = (0..<2).map { _ in Task { try await rig.send() } }
    try await eventually { rig.waitingCount() == 2 }
    isOpen.update { $0 = true }
    for task in tasks {
      let error = await failure { try await task.value }
      #expect(error?.code == .connectionFailed)
    }
    #expect(rig.sent.current.count == 1)
  }

  @Test func `only requests whose body is collected in memory share an exchange`() async throws {
    let rig = rig([.cacheControl: "max-age=60"])
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("file")
    let deliveries: [Delivery] = [.stream, .stream, .discard, .file(at: file)]
    let tasks = try deliveries.map { delivery in
      var request = try Request("http://h/")
      request.delivery = delivery
      return Task { [request] in try await rig.send(request) }
    }
    try await eventually { rig.sent.current.count == deliveries.count }
    #expect(rig.waitingCount() == 0)
    isOpen.update { $0 = true }
    for task in tasks { #expect(try await task.value.cacheStatus?.isCollapsed == false) }
  }

  @Test func `a response that each request must validate is not shared (§5·2·2·4)`() async throws {
    let isOpen = isOpen
    let rig = CacheRig(MemoryResponseCache(), Self.collapsing) { request, number in
      try await isOpen.waitWithoutLimit { $0 }
      return .reply(200, [.cacheControl: "max-age=60, no-cache"], "\(number)", to: request)
    }
    let tasks = (0..<4).map { _ in Task { try await rig.get() } }
    try await eventually { rig.waitingCount() == 4 }
    isOpen.update { $0 = true }
    var bodies: Set<String> = []
    for task in tasks { bodies.insert(try await task.value) }
    #expect(bodies.count == 4)
  }

  @Test func `a request does not join an exchange that has ended`() async throws {
    let isOpen = isOpen
    let rig = CacheRig(MemoryResponseCache(), Self.collapsing) { request, number in
      try await isOpen.waitWithoutLimit { $0 }
      return .reply(200, [.cacheControl: "max-age=0"], "\(number)", to: request)
    }
    let tasks = (0..<8).map { _ in
      Task {
        let first = try await rig.get()
        return [first, try await rig.get()]
      }
    }
    try await eventually { rig.waitingCount() == 8 }
    isOpen.update { $0 = true }
    for task in tasks {
      let bodies = try await task.value
      #expect(bodies[0] == "1" && bodies[1] != "1")
    }
  }

  @Test func `the call of its reader ends a body that is too large to be shared`() async throws {
    let stalled = StalledBody()
    let rig = CacheRig(MemoryResponseCache(capacity: 20_000), Self.collapsing) { request, _ in
      Response(
        head: ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"]), url: request.url,
        body: ResponseBody(stream: stalled))
    }
    let call = Call()
    var request = try Request("http://h/")
    request.call = call
    let waiting = Task { [request] in try await rig.send(request) }
    try await stalled.isWaiting.wait { $0 }
    // The reader has left the exchange, and reads the rest.
    try await eventually { rig.waitingCount() == 0 }
    call.cancel()
    let error = await failure { try await waiting.value }
    #expect(error?.code == .cancelled)
    try await stalled.isAbandoned.wait { $0 }
  }

  /// A body whose second piece does not arrive.
  final class StalledBody: ResponseBodySource {
    let isWaiting = AwaitableValue(false)
    let isAbandoned = AwaitableValue(false)
    let completion: ResponseBody.Completion? = nil

    func next() async throws -> ByteBuffer? {
      let isFirst = isWaiting.update { isWaiting in
        defer { isWaiting = true }
        return !isWaiting
      }
      if isFirst { return ByteBuffer(repeating: 0x78, count: 3000) }
      try await isAbandoned.waitWithoutLimit { $0 }
      return nil
    }

    func abandon() { isAbandoned.update { $0 = true } }
  }
}
