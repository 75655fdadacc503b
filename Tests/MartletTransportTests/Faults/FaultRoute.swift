import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport

/// A way from the client to the server that misbehaves.
enum FaultRoute: String, CaseIterable, Sendable {
  case plain = "HTTP"
  case secure = "HTTPS"
  /// The server is a proxy that passes requests on.
  case forward = "HTTP, proxy"
  /// A proxy makes a tunnel to a server with TLS.
  case tunnel = "HTTPS, tunnel"
  case socks = "HTTP, SOCKS"

  /// Whether the script of the server begins after a TLS handshake.
  var isSecure: Bool { self == .secure || self == .tunnel }

  var proxyKind: Proxy.Kind? {
    switch self {
    case .plain, .secure: nil
    case .forward, .tunnel: .http
    case .socks: .socks5
    }
  }

  /// The ways without TLS.
  static let plainRoutes: [FaultRoute] = [.plain, .forward, .socks]
  /// The ways on which the client's system notices what the server does with its socket.
  static let directRoutes: [FaultRoute] = [.plain, .secure, .forward]
}

/// A scripted server, and an engine that reaches it by a route.
struct FaultSite: FaultySite {
  /// The authority of all sites.
  static let authority = Result { try TemporaryAuthority() }

  let route: FaultRoute
  let server: ScriptedServer
  let engine: HTTPTransport
  let origin: String
  /// Of the proxy that the script is about, or that passes requests on.
  let proxyName: String?
  private let tunnel: TunnelProxy?
  /// The server behind a proxy that the script is about.
  private let target: LoopbackServer?
  /// Whether the server stops reading, so that it does not notice the end of the connection.
  private let isServerDeaf: Bool

  /// Starts a server whose first connection plays the script of a fault, and whose other connections answer with “ok”.
  ///
  /// For a fault in the TLS handshake, the script has the bytes of TLS. For a fault of a proxy, the server is the proxy.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - route: The way to the server.
  /// - Throws: What the servers throw.
  init(_ fault: ServerFault, by route: FaultRoute) async throws {
    self.route = route
    isServerDeaf = fault.steps.contains { if case .stopReading = $0 { true } else { false } }
    let authority = try Self.authority.get()
    let isTLS = route.isSecure && fault.part != .tls && fault.part != .proxy
    server = try await ScriptedServer.start(
      Script(fault.steps), .text("ok"), repeatsLast: true,
      tls: isTLS ? ServerTLS(try authority.leaf()) : nil)
    let needsTunnel = fault.part != .proxy && (route == .tunnel || route == .socks)
    tunnel = needsTunnel ? try await TunnelProxy.start() : nil
    target =
      fault.part == .proxy ? try await Self.startServer(isSecure: route.isSecure) : nil
    origin = "\(route.isSecure ? "https" : "http")://localhost:\(target?.port ?? server.port)"
    let port = tunnel?.port ?? server.port
    let proxy = try route.proxyKind.map { try Proxy($0, host: "127.0.0.1", port: port) }
    proxyName = proxy.map(Self.name)
    var configuration = HTTPTransportConfiguration()
    configuration.timeouts = fault.timeouts
    configuration.limits.responseHeadSize = 64 << 10
    configuration.tls.roots = .certificates([authority.root])
    configuration.proxies = Self.proxies(through: proxy)
    engine = HTTPTransport(configuration)
  }

  private static func startServer(port: Int = 0, isSecure: Bool) async throws -> LoopbackServer {
    let tls = isSecure ? ServerTLS(try authority.get().leaf()) : nil
    return try await LoopbackServer.start(port: port, tls: tls)
  }

  /// Expects that the next request is answered. A server or proxy whose script knows no requests makes way for another one,
  /// unless another program has taken its port.
  func expectNextAnswer(after fault: ServerFault) async throws {
    switch fault.part {
    case .tls:
      try await waitForClosedConnections()
      await server.stop()
      guard let next = try? await Self.startServer(port: server.port, isSecure: true) else {
        return
      }
      try await expectNextAnswer()
      await next.stop()
    case .proxy:
      try await waitForClosedConnections()
      await server.stop()
      guard let next = try? await TunnelProxy.start(port: server.port) else { return }
      try await expectNextAnswer()
      await next.stop()
    default: try await expectNextAnswer()
    }
  }

  /// The URL of a proxy of this machine.
  static func name(_ proxy: Proxy) -> String {
    "\(proxy.kind.rawValue)://127.0.0.1:\(proxy.port)"
  }

  /// All requests go through a proxy, or directly if it is `nil`.
  static func proxies(through proxy: Proxy?) -> ProxyConfiguration {
    var rule = ProxyRule()
    rule.routes = [proxy.map { .through($0) } ?? .direct]
    return ProxyConfiguration([rule])
  }

  func request(_ method: HTTPRequest.Method, _ path: String) throws -> Request {
    try Request(method, origin + path)
  }

  /// Returns when all connections are closed.
  func waitForClosedConnections() async throws {
    if !isServerDeaf { try await server.waitForConnectionsClosed(server.connectionCount) }
  }

  /// Closes all connections, and returns when they are gone.
  func close() async throws {
    await engine.close()
    try await waitForClosedConnections()
    await tunnel?.stop()
    await target?.stop()
    await server.stop()
  }
}
