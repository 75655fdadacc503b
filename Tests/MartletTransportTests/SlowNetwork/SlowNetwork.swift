import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// The servers at the far end of a slow link.
///
/// `scripts/interop-slow` starts them in a network namespace of their own, and tests that need them run only there.
struct SlowNetwork {
  /// How a request goes to nginx.
  enum Route: CaseIterable {
    case http1, http2, https

    /// The port of nginx.
    var port: Int {
      switch self {
      case .http1: 8001
      case .http2: 8002
      case .https: 8003
      }
    }
  }

  /// An end of the link, with the name of its interface.
  enum End: String {
    case client = "tern"
    case server = "gull"
  }

  private static let environment = ProcessInfo.processInfo.environment
  /// Whether the servers have been started.
  static let isAvailable = environment["SLOW_NAMESPACE"] != nil
  /// The address of the servers.
  static let address = "192.0.2.2"

  /// The file of the servers' network namespace.
  private let namespace: String
  /// The folder with the files that nginx serves, in `data`, and the bodies that were uploaded, in `received`.
  let folder: URL

  init() throws {
    namespace = try #require(Self.environment["SLOW_NAMESPACE"])
    folder = URL(fileURLWithPath: try #require(Self.environment["SLOW_FOLDER"]))
  }

  /// An engine for a route. Its origin is named `localhost`, as in the certificate of the servers.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - timeouts: The time-outs.
  /// - Returns: The engine.
  func engine(_ route: Route, _ timeouts: Timeouts) -> HTTPTransport {
    var configuration = HTTPTransportConfiguration()
    configuration.timeouts = timeouts
    configuration.proxies = .none
    configuration.versions = route == .http1 ? .http1 : .http2
    configuration.tls.roots = .file(folder.appendingPathComponent("authority.pem"))
    configuration.resolver.lookUp = { _, port in
      [try SocketAddress(ipAddress: Self.address, port: port)]
    }
    return HTTPTransport(configuration)
  }

  /// A request through a port at the far end.
  func request(
    _ path: String, by method: HTTPRequest.Method = .get, _ route: Route, port: Int
  ) throws -> Request {
    try Request(method, "\(route == .https ? "https" : "http")://localhost:\(port)/\(path)")
  }

  /// A file that nginx serves.
  func data(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent("data/\(name)"))
  }

  /// A body that was uploaded to `upload/` and its name.
  func received(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent("received/\(name)"))
  }

  /// Starts a program in the network namespace of an end.
  func start(_ command: [String], at end: End = .server) throws -> ChildProcess {
    try ChildProcess((end == .server ? ["nsenter", "--net=\(namespace)"] : []) + command)
  }

  /// Changes an end of the link: `setLink("down")`, `setLink("mtu", "600", at: .client)`.
  func setLink(_ change: String..., at end: End = .server) throws {
    try run(["ip", "link", "set", end.rawValue] + change, at: end)
  }

  /// Limits the buffers of connections at both ends: the least, the first and the largest size, in bytes.
  func setBuffers(receive: String, send: String) throws {
    for end in [End.client, .server] {
      try run(
        [
          "sysctl", "--quiet", "--write", "net.ipv4.tcp_rmem=\(receive)",
          "net.ipv4.tcp_wmem=\(send)",
        ], at: end)
    }
  }

  private func run(_ command: [String], at end: End) throws {
    try #require(try start(command, at: end).succeeds())
  }
}

extension Response {
  /// All bytes of the body.
  func data(upTo limit: Int = 4 << 20) async throws -> Data {
    Data(try await body.collect(upTo: limit).readableBytesView)
  }
}
