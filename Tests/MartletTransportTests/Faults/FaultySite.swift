import HTTPTypes
import MartletCore
import MartletTransport
import Testing

/// A server that misbehaves, and an engine that reaches it.
protocol FaultySite: Sendable {
  var engine: HTTPTransport { get }
  /// The URL of the server, without a path.
  var origin: String { get }
  /// The URL of the proxy before it; `nil` without one.
  var proxyName: String? { get }
  /// A request for a path of the server.
  func request(_ method: HTTPRequest.Method, _ path: String) throws -> Request
  /// Closes all connections.
  func close() async throws
}

extension FaultySite {
  /// Expects that a request after the exchange is answered, however slow the machine is.
  func expectNextAnswer() async throws {
    var next = try request(.get, "/get")
    next.options.timeouts = Timeouts()
    #expect(try await engine.send(next).status == .ok)
  }
}

extension HTTPTransport {
  /// Whether it has no requests, and makes no connections.
  var isQuiet: Bool {
    get async { await snapshot().isQuiet }
  }

  /// Whether it has no requests, and one connection, which is that of the last request.
  var hasOneConnectionAtRest: Bool {
    get async {
      let snapshot = await snapshot()
      return snapshot.isQuiet && snapshot.servers.map(\.connections.count) == [1]
    }
  }
}

extension EngineSnapshot {
  fileprivate var isQuiet: Bool {
    servers.allSatisfy { server in
      server.waitingCount == 0 && server.connectingCount == 0 && server.suspendedCount == 0
        && server.connections.allSatisfy { $0.requestCount == 0 }
    }
  }
}
