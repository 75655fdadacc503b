import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL

/// An HTTP/2 server that a test controls frame by frame.
///
///     let peer = try await FramePeer.start()
///     let response = peer.engine().begin(peer.get("/"))
///     let connection = try await peer.accept()
///     try await connection.next(.headers, on: 1)
///     connection.send(.headers(1), .data(1, "hello", end: true))
///     #expect(try await response.value.status == .ok)
///     await peer.stop()
final class FramePeer: Sendable {
  /// A loop of their own, so that an engine whose loop is held up does not hold up its peer.
  static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private let channel: any Channel
  private let isSecure: Bool
  private let connections: AwaitableValue<[FrameConnection]>
  private let taken = Locked(0)

  private init(
    channel: any Channel, connections: AwaitableValue<[FrameConnection]>, isSecure: Bool
  ) {
    self.channel = channel
    self.isSecure = isSecure
    self.connections = connections
  }

  /// Starts one.
  ///
  /// - Parameters:
  ///   - isSlow: Whether it reads as `SlowReading` does, and not at once. The default is false.
  ///   - tls: The certificate and its key, for HTTP/2 over TLS. The default is `nil`: no TLS.
  ///   - loops: Its event loops. The default is one that all peers share.
  /// - Returns: A peer that listens.
  /// - Throws: The system's error when it cannot listen, or NIOSSL's when it cannot use the certificate.
  static func start(
    isSlow: Bool = false, tls: CertifiedKey? = nil, on loops: any EventLoopGroup = loops
  ) async throws -> FramePeer {
    let context = try tls.map { try NIOSSLContext(configuration: .http2Server($0)) }
    let connections = AwaitableValue<[FrameConnection]>([])
    let bootstrap = ServerBootstrap(group: loops)
    let channel = try await (isSlow ? SlowReading.options(bootstrap) : bootstrap)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let log = AwaitableValue(FrameLog())
          if let context {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
          }
          if isSlow { try channel.pipeline.syncOperations.addHandler(SlowReading()) }
          try channel.pipeline.syncOperations.addHandler(FrameReader(log))
          connections.update { $0.append(FrameConnection(channel, log)) }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return FramePeer(channel: channel, connections: connections, isSecure: tls != nil)
  }

  /// How many connections have been made.
  var connectionCount: Int { connections.current.count }

  /// All requests, on all connections.
  var requests: [FrameLog.Request] { connections.current.flatMap(\.log.requests) }

  /// The paths of all requests.
  var paths: [String] { requests.map(\.path) }

  /// The next connection, after the client's preface; it is sent SETTINGS and an acknowledgement.
  func accept(_ settings: KeyValuePairs<RawFrame.Setting, UInt32> = [:]) async throws
    -> FrameConnection
  {
    let connection = try await acceptInSilence()
    try await connection.greet(settings)
    return connection
  }

  /// The next connection, which is sent nothing.
  func acceptInSilence() async throws -> FrameConnection {
    let number = taken.withLock { taken in
      taken += 1
      return taken
    }
    try await connections.wait(within: .seconds(30)) {
      "There are \($0.count) connections."
    } until: {
      $0.count >= number
    }
    return connections.current[number - 1]
  }

  /// An engine that speaks HTTP/2 by prior knowledge.
  func engine(_ change: (inout HTTPTransportConfiguration) -> Void = { _ in }) -> HTTPTransport {
    var configuration = HTTPTransportConfiguration.oneLoop
    configuration.versions = .http2
    change(&configuration)
    return HTTPTransport(configuration)
  }

  func url(_ path: String = "/") -> URL {
    var parts = URLComponents()
    parts.scheme = isSecure ? "https" : "http"
    parts.host = "127.0.0.1"
    parts.port = channel.localAddress?.port
    return URL(string: path, relativeTo: parts.url)?.absoluteURL ?? URL(fileURLWithPath: path)
  }

  func get(_ path: String = "/") -> Request { Request(url: url(path)) }

  func post(_ body: RequestBody) -> Request { Request(.post, url: url(), body: body) }

  func stop() async {
    try? await channel.close()
    for connection in connections.current { await connection.close() }
  }
}

extension TLSConfiguration {
  fileprivate static func http2Server(_ credential: CertifiedKey) throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try credential.certificateSources(),
      privateKey: try credential.privateKeySource())
    configuration.applicationProtocols = ["h2"]
    return configuration
  }
}

extension HTTPTransport {
  /// Sends a request beside the test, which goes on.
  func begin(_ request: Request) -> Task<Response, any Error> {
    Task { try await send(request) }
  }
}
