import MartletCore
import NIOCore
import NIOHTTP2

extension EngineConfiguration {
  /// How HTTP/2 connections behave.
  public struct HTTP2: Hashable, Sendable {
    /// How many bytes of one body the server may send ahead of its reader. The default is 4 MiB.
    public var streamWindow = 4 << 20
    /// What that grows to while the reader keeps up. The default is 16 MiB.
    public var maximumStreamWindow = 16 << 20
    /// How many bytes of all unfinished bodies of a connection may lie unread before its streams are held
    /// back. Each may still fill its own window, and one that has come whole counts no more. The default is
    /// 64 MiB.
    public var connectionWindow = 64 << 20
    /// How long a server that owes an answer may be silent before it is asked, by PING, whether it is
    /// there. The default is 15 s.
    public var quietTime: Duration = .seconds(15)
    /// How long it may take to answer that. The default is 10 s; then the connection is closed.
    public var pingPatience: Duration = .seconds(10)
    /// How often an idle connection is asked. The default is `nil`: never.
    public var idlePingInterval: Duration?

    /// The number of a connection's first stream, for tests of the last.
    var firstStream: Int32 = 1

    /// Behaviour with the documented defaults.
    public init() {}

    /// A stream's first window within what RFC 9113 §6.5.2 allows.
    var window: Int { min(max(streamWindow, 1), ReceiveWindow.limit) }
  }

  /// How many exchanges a connection to `origin` will carry at once, as far as that is known beforehand.
  func sharing(of origin: Origin) -> PoolState.Sharing {
    switch versions {
    case .http1: .exclusive
    case .http2: .shared
    case .automatic: origin.isSecure ? .unknown : .exclusive
    }
  }
}

extension EngineConfiguration.Versions {
  /// What the TLS handshake offers (RFC 7301), best first.
  var applicationProtocols: [String] {
    switch self {
    case .automatic: ["h2", "http/1.1"]
    case .http1: ["http/1.1"]
    case .http2: ["h2"]
    }
  }
}
