public import MartletCore

/// How an engine connects, how long it waits, and how much it accepts.
public struct EngineConfiguration: Sendable {
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
  public var loops = 1

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
    public var perOrigin = 64
    /// The most connections in all. The default is 1024.
    public var total = 1024
    /// How long an idle connection is kept. The default is 60 s.
    public var idleTime: Duration = .seconds(60)
    /// The age at which a connection takes no more requests; those under way go on. The default is `nil`: any
    /// age will do.
    public var maximumAge: Duration?

    /// Limits with the documented defaults.
    public init() {}
  }

  /// How much of a response is accepted.
  public struct Limits: Hashable, Sendable {
    /// The most bytes of a head or of trailers. The default is 256 KiB.
    public var responseHead = 256 << 10
    /// The most bytes of a discarded body that are read to keep its connection. The default is 64 KiB. The body
    /// of a response without success is read for a second at most.
    public var discardedBody = 64 << 10

    /// Limits with the documented defaults.
    public init() {}
  }
}
