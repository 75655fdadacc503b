import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport

/// A way from the client to a server of HTTP/2 that misbehaves.
enum FrameRoute: String, CaseIterable, Sendable {
  case plain = "HTTP/2"
  case secure = "HTTP/2, TLS"
  /// A proxy makes a tunnel to a server with TLS.
  case tunnel = "HTTP/2, TLS, tunnel"
  case socks = "HTTP/2, SOCKS"

  var isSecure: Bool { self == .secure || self == .tunnel }

  private var proxyKind: Proxy.Kind? {
    switch self {
    case .plain, .secure: nil
    case .tunnel: .http
    case .socks: .socks5
    }
  }

  /// A proxy of this machine, and what the engine knows of it; `nil` if there is none on this way.
  func startProxy() async throws -> (server: TunnelProxy, proxy: Proxy)? {
    guard let proxyKind else { return nil }
    let server = try await TunnelProxy.start()
    return (server, try Proxy(proxyKind, host: "127.0.0.1", port: server.port))
  }
}

/// A peer that plays a fault on its first connection, and an engine that talks to it.
struct FrameSite: FaultySite {
  let engine: HTTPTransport
  let proxyName: String?
  private let peer: FramePeer
  private let proxy: TunnelProxy?
  private let serving: Task<Void, Never>

  init(_ fault: FrameFault, by route: FrameRoute) async throws {
    let authority = try FaultSite.authority.get()
    let peer = try await FramePeer.start(tls: route.isSecure ? try authority.leaf() : nil)
    let started = try await route.startProxy()
    (self.peer, proxy, proxyName) = (
      peer, started?.server, started.map { FaultSite.name($0.proxy) }
    )
    engine = peer.engine {
      $0.timeouts = Timeouts(.seconds(30))
      $0.timeouts.idle = FaultExchange.idle
      $0.limits.responseHeadSize = 64 << 10
      $0.tls.roots = .certificates([authority.root])
      $0.proxies = FaultSite.proxies(through: started?.proxy)
    }
    serving = Task {
      await withDiscardingTaskGroup { group in
        var first: FrameFault? = fault
        while let connection = try? await peer.acceptInSilence() {
          group.addTask { [first] in try? await Self.serve(connection, first) }
          first = nil
        }
      }
    }
  }

  /// Plays a fault, and answers all requests that come afterwards.
  private static func serve(_ connection: FrameConnection, _ fault: FrameFault?) async throws {
    if let fault {
      if fault.part != .accept { try await connection.greet() }
      _ = try await connection.request()
      try await fault.act(connection)
    } else {
      try await connection.greet([.initialWindowSize: 1 << 20])
      connection.send(.windowUpdate(0, 1 << 20))
    }
    while true {
      let stream = try await connection.request().stream
      try await connection.waitForEnd(of: stream)
      connection.answer(stream)
    }
  }

  /// The request with the fault, each time that it has arrived.
  var sendings: [FrameLog.Request] { peer.requests.filter { $0.path == "/fault" } }

  func request(_ method: HTTPRequest.Method, _ path: String) -> Request {
    Request(method, url: peer.url(path))
  }

  var origin: String { String(peer.url("/").absoluteString.dropLast()) }

  func close() async {
    serving.cancel()
    await engine.close()
    await peer.stop()
    await proxy?.stop()
  }
}
