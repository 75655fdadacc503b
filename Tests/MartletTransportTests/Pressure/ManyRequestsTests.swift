import EssentialFoundation
import ExitTesting
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// More requests at once than connections are allowed, in processes of their own: their tasks would keep those of other tests
/// waiting.
@Suite(.blocksAThread, .timeLimit(.minutes(20)))
struct ManyRequestsTests {
  /// How many requests go to a thousand servers. `MARTLET_MANY_REQUESTS=10000` sends as many as a release asks for.
  private static let count =
    ProcessInfo.processInfo.environment["MARTLET_MANY_REQUESTS"].flatMap { Int($0) } ?? 2_000

  /// Takes long enough that requests have to wait for connections.
  private static let router = ServerRouter([
    .get("/") { _ in
      try await Task.sleep(for: .microseconds(200))
      return .text("ok")
    }
  ])

  @Test
  func `ten thousand requests at once to one server use no more connections than are allowed`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let server = try await LoopbackServer.start(router: Self.router)
      let engine = HTTPTransport()
      let request = Request(url: server.url("/"))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<10_000 { group.addTask { try await engine.expectOK(request) } }
        try await group.waitForAll()
      }
      #expect(server.connectionCount <= 64)
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
      let server = try await LoopbackServer.start(router: Self.router)
      let connections = ConnectionGauge()
      var configuration = HTTPTransportConfiguration()
      configuration.proxies = .none
      configuration.connections.maximumTotal = 100
      configuration.connectionObserver = { _ in { connections.apply($0) } }
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
      // There are more requests than connections all the time: fewer would be a mistake of the count.
      #expect(connections.most == 100)
      try await eventually { await engine.isQuiet }
      await engine.close()
      try await server.waitForOpenConnections(0)
      try await eventually { connections.now == 0 }
      await server.stop()
    }
  }
}
