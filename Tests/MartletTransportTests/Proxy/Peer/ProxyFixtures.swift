import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import Testing

extension HTTPTransport {
  /// An engine that takes these ways to all servers.
  static func through(
    _ routes: ProxyRoute..., set: (inout HTTPTransportConfiguration) -> Void = { _ in }
  ) -> HTTPTransport {
    // With several loops, HTTP/2 would open a connection on another loop while one is busy.
    var configuration = HTTPTransportConfiguration()
    configuration.eventLoopCount = 1
    var rule = ProxyRule()
    rule.routes = routes
    configuration.proxies = ProxyConfiguration([rule])
    set(&configuration)
    return HTTPTransport(configuration)
  }
}

extension ProxyRoute {
  /// Through a server of this machine.
  static func local(
    _ kind: Proxy.Kind = .http, _ port: Int, user: String? = nil, password: String? = nil
  ) throws -> ProxyRoute {
    .through(try Proxy(kind, host: "127.0.0.1", port: port, user: user, password: password))
  }
}

extension HTTPTransport {
  /// The error that a GET ends with.
  func failure(
    _ url: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> MartletError? {
    let error = await #expect(throws: MartletError.self, sourceLocation: sourceLocation) {
      try await self.send(Request(.get, url))
    }
    return error
  }
}
