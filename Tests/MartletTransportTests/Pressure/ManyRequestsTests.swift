import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// More requests at once than connections are allowed, in processes of their own: their tasks would keep those of other tests
/// waiting.
@Suite(.timeLimit(.minutes(10)))
struct ManyRequestsTests {
  /// How many requests go to a thousand servers. `MARTLET_MANY_REQUESTS=10000` sends as many as a release asks for.
  private static let count =
    ProcessInfo.processInfo.environment["MARTLET_MANY_REQUESTS"].flatMap { Int($0) } ?? 2_000

  @Test
  func `ten thousand requests at once to one server use no more connections than are allowed`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let load = Load()
      let server = try await LoopbackServer.start(router: load.router)
      let engine = HTTPTransport()
      let request = Request(url: server.url("/"))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<10_000 { group.addTask { try await engine.expectOK(request) } }
        try await group.waitForAll()
      }
      #expect(server.connectionCount <= 64)
      #expect(load.most <= 64)
      try await eventually { await engine.isQuiet }
      await engine.close()
      try await server.waitForOpenConnections(0)
      await server.stop()
    }
  }

  @Test
  func
    `thousands of requests at once to a thousand servers use no more connections than are allowed`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let load = Load()
      let server = try await LoopbackServer.start(router: load.router)
      var configuration = HTTPTransportConfiguration()
      configuration.proxies = .none
      configuration.connections.maximumTotal = 100
      configuration.resolver.lookUp = { [port = server.port] _, _ in
        [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
      }
      let engine = HTTPTransport(configuration)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<Self.count {
          group.addTask {
            try await engine.expectOK(try Request(.get, "http://server\(number % 1000).test/"))
          }
        }
        try await group.waitForAll()
      }
      #expect(load.most <= 100)
      try await eventually { await engine.isQuiet }
      await engine.close()
      try await server.waitForOpenConnections(0)
      await server.stop()
    }
  }

  @Test func `a look-up that fails or hangs does not spoil the next one`() async throws {
    let server = try await LoopbackServer.start()
    let state = Locked(Resolution.fails)
    var configuration = HTTPTransportConfiguration()
    configuration.proxies = .none
    // A look-up waits for one of the few threads that may block.
    configuration.timeouts.connect = .seconds(120)
    configuration.resolver.lookUp = { [port = server.port] host, _ in
      switch state.current {
      case .fails: throw MartletError.unknownHost(host, underlying: ResolverFailure(status: -2))
      case .hangs:
        while state.current == .hangs { usleep(1000) }
        throw MartletError.unknownHost(host, underlying: ResolverFailure(status: -3))
      case .works: return [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
      }
    }
    let engine = HTTPTransport(configuration)
    let request = try Request(.get, "http://server.test/get")
    let failed = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(failed?.code == .unknownHost)
    state.withLock { $0 = .hangs }
    var hasty = request
    hasty.options.timeouts = Timeouts(connect: .milliseconds(200))
    let late = await #expect(throws: MartletError.self) { try await engine.send(hasty) }
    #expect(late?.code == .timedOut)
    #expect(late?.phase == .resolve)
    state.withLock { $0 = .works }
    let start = ContinuousClock.now
    let (_, lateness) = try await measuringLateness { try await engine.expectOK(request) }
    #expect(start.duration(to: .now) < .seconds(1) + lateness)
    await engine.close()
    await server.stop()
  }

  private enum Resolution { case fails, hangs, works }
}

/// Counts the requests that a server works on at once.
private final class Load: Sendable {
  private let state = Locked((now: 0, most: 0))

  var most: Int { state.current.most }

  var router: ServerRouter {
    ServerRouter([
      .get("/") { _ in
        self.state.withLock { state in
          state.now += 1
          state.most = max(state.most, state.now)
        }
        defer { self.state.withLock { $0.now -= 1 } }
        try await Task.sleep(for: .microseconds(200))
        return .text("ok")
      }
    ])
  }
}
