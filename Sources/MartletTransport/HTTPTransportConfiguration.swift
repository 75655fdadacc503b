public import MartletCore
import NIOCore
import NIOHTTP2

/// How an engine connects, how long it waits, and how much it accepts.
public struct HTTPTransportConfiguration: Sendable {
  /// How long to wait for each part of an exchange.
  public var timeouts = Timeouts()
  /// How many connections, and for how long they are kept.
  public var connections = Connections()
  /// How much of a response is accepted.
  public var limits = Limits()
  /// Whom to trust.
  public var tls = TLSOptions()
  /// To which addresses connections may be made. The default is `.any`; `.publicOnly` is for servers that
  /// fetch URLs that strangers send in. It does not see what a proxy connects to, but for URLs whose hosts are
  /// addresses.
  public var addressPolicy = AddressPolicy.any
  /// Which requests go through which proxies. The default is `.system`: what the environment says when the
  /// engine is made.
  public var proxies = ProxyConfiguration.system
  /// Which versions of HTTP are spoken. The default is `.automatic`.
  public var versions = Versions.automatic
  /// How HTTP/2 connections behave.
  public var http2 = HTTP2()
  /// How many event loops do the work. The default is 1, which serves tens of thousands of requests
  /// a second; all connections of one origin share one loop.
  public var eventLoopCount = 1

  /// A configuration with the documented defaults.
  public init() {}

  /// Which versions of HTTP are spoken.
  public enum Versions: Hashable, Sendable {
    /// HTTP/2 where the TLS handshake agrees on it (RFC 7301), HTTP/1.1 otherwise.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 only. Plain connections speak it by prior knowledge (RFC 9113 §3.3); a secure server that
    /// does not agree to it is refused.
    case http2
  }

  /// How many connections, and for how long they are kept.
  public struct Connections: Hashable, Sendable {
    /// The most connections to one origin, beside those that a server is about to close or that are past
    /// `maximumAge`. The default is 64.
    public var maximumPerOrigin = 64
    /// The most connections in all. The default is 1024.
    public var maximumTotal = 1024
    /// How long an idle connection is kept. The default is 60 s.
    public var keepAliveDuration: Duration = .seconds(60)
    /// The age at which a connection takes no more requests; those under way go on. The default is `nil`: any
    /// age will do.
    public var maximumAge: Duration?

    /// Limits with the documented defaults.
    public init() {}
  }

  /// How much of a response is accepted.
  public struct Limits: Hashable, Sendable {
    /// The most bytes of a head or of trailers. The default is 256 KiB.
    public var responseHeadSize = 256 << 10
    /// The most bytes of a discarded body that are read to keep its connection. The default is 64 KiB. The body
    /// of a response without success is read for a second at most.
    public var discardedBodySize = 64 << 10

    /// Limits with the documented defaults.
    public init() {}
  }
}

extension HTTPTransportConfiguration {
  /// How HTTP/2 connections behave.
  public struct HTTP2: Hashable, Sendable {
    /// How many bytes of one body the server may send ahead of its reader. The default is 4 MiB.
    public var initialStreamWindowSize = 4 << 20
    /// What that grows to while the reader keeps up. The default is 16 MiB.
    public var maximumStreamWindowSize = 16 << 20
    /// How many bytes of all unfinished bodies of a connection may lie unread before its streams are held
    /// back. Each may still fill its own window, and one that has come whole counts no more. The default is
    /// 64 MiB.
    public var connectionWindowSize = 64 << 20
    /// How long a server that owes an answer may be silent before it is asked, by PING, whether it is
    /// there. The default is 15 s.
    public var pingInterval: Duration = .seconds(15)
    /// How long it may take to answer that. The default is 10 s; then the connection is closed.
    public var pingTimeout: Duration = .seconds(10)
    /// How often an idle connection is asked. The default is `nil`: never.
    public var idlePingInterval: Duration?

    /// The number of a connection's first stream, for tests of the last.
    var firstStream: Int32 = 1

    /// Behaviour with the documented defaults.
    public init() {}

    /// A stream's first window within what RFC 9113 §6.5.2 allows.
    var clampedStreamWindowSize: Int { min(max(initialStreamWindowSize, 1), ReceiveWindow.limit) }
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

extension HTTPTransportConfiguration.Versions {
  /// What the TLS handshake offers (RFC 7301), best first.
  var applicationProtocols: [String] {
    switch self {
    case .automatic: ["h2", "http/1.1"]
    case .http1: ["http/1.1"]
    case .http2: ["h2"]
    }
  }
}
