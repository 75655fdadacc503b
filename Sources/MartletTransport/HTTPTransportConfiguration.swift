public import MartletCore
import NIOCore
public import NIOPosix

/// The settings of an engine: how it connects, how long it waits, and how much it accepts.
public struct HTTPTransportConfiguration: Sendable {
  /// How long to wait for each part of an exchange.
  public var timeouts = Timeouts()
  /// How many connections are opened, and how long they are kept.
  public var connections = Connections()
  /// How much of a response is accepted.
  public var limits = Limits()
  /// How server certificates are evaluated, and the other TLS settings. The default uses the system's trust store.
  public var tls = TLSOptions()
  /// The addresses to which connections may be made. The default is `.any`. Use `.publicOnly` in a server that fetches
  /// URLs from untrusted users. Through a proxy, the server's address is checked only if the host of the URL is an IP
  /// address.
  public var addressPolicy = AddressPolicy.any
  /// Which requests go through which proxies. The default is `.system`: the proxy settings of the environment when the
  /// engine is created.
  public var proxies = ProxyConfiguration.system
  /// The versions of HTTP that connections use. The default is `.automatic`.
  public var versions = Versions.automatic
  /// The settings of HTTP/2 connections.
  public var http2 = HTTP2()
  /// The number of event loops, each on a thread. The default is the number of processor cores. The
  /// connections to a server are spread over the loops. One loop is enough for tens of thousands of requests a second, and
  /// suits command-line tools and tests. The engines of a process share a fixed number of loops, usually one for each
  /// core, and an engine uses at most all of these, and at most 64.
  public var eventLoopCount = System.coreCount
  /// The event loops of the engine, in place of the shared loops of the process. The engine does not shut the group
  /// down; it must run as long as the engine, or until the session's `shutDown()` has returned. The default is `nil`.
  public var eventLoopGroup: MultiThreadedEventLoopGroup?

  /// Returns the observer of the connections to a server, which is called when one has been opened or closed, begins to carry
  /// requests, or becomes idle. The default is none.
  public var connectionObserver: (@Sendable (Origin) -> ConnectionChange.Observer?)?

  /// Looks up the addresses of hosts. Tests replace it.
  var resolver = Resolver()

  /// A configuration with the documented defaults.
  public init() {}

  /// The versions of HTTP that connections use.
  public enum Versions: Hashable, Sendable {
    /// HTTP/2 where the TLS handshake agrees on it (RFC 7301), HTTP/1.1 otherwise.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 only. Connections without TLS use it by prior knowledge (RFC 9113 §3.3). A request to a secure server
    /// that does not agree to HTTP/2 fails.
    case http2
  }

  /// How many connections are opened, and how long they are kept.
  public struct Connections: Hashable, Sendable {
    /// The maximum number of connections to one origin. Connections that the server is about to close, or that are
    /// older than `maximumAge`, do not count. The default is 64.
    public var maximumPerOrigin = 64
    /// The maximum number of connections to all origins together. The default is 1024.
    public var maximumTotal = 1024
    /// How long an idle connection is kept. The default is 60 s.
    public var keepAliveDuration: Duration = .seconds(60)
    /// The age from which a connection takes no more requests. Requests under way continue. The default is `nil`: no
    /// limit.
    public var maximumAge: Duration?

    /// Limits with the documented defaults.
    public init() {}
  }

  /// How much of a response is accepted.
  public struct Limits: Hashable, Sendable {
    /// The maximum size of a head or of trailers, in bytes, and of all interim responses to a request together. The default
    /// is 256 KiB.
    public var responseHeadSize = 256 << 10
    /// How many bytes of a discarded body are read, so that its connection can be reused. The default is 64 KiB. The
    /// body of a response whose status is not a success is read for at most one second. While the request of a
    /// successful response is still on its way to the server, the limit is 16 times as high.
    public var discardedBodySize = 64 << 10

    /// Limits with the documented defaults.
    public init() {}
  }
}

extension HTTPTransportConfiguration {
  /// The settings of HTTP/2 connections.
  public struct HTTP2: Hashable, Sendable {
    /// The initial window of a stream: how many bytes of one body the server may send before they are read. The default
    /// is 4 MiB.
    public var initialStreamWindowSize = 4 << 20
    /// The size in bytes to which a stream's window grows while the reader keeps up. The default is 16 MiB.
    public var maximumStreamWindowSize = 16 << 20
    /// The window of a connection: how many bytes of all its unfinished bodies the server may send before they are
    /// read. Unread bytes reduce the window, but not below `initialStreamWindowSize`, so that no stream is blocked by
    /// others. A complete body no longer counts. The default is 64 MiB.
    public var connectionWindowSize = 64 << 20
    /// How long a server may be silent while a response is outstanding before a PING is sent. The default is 15 s.
    public var pingInterval: Duration = .seconds(15)
    /// How long the server may take to answer a PING before the connection is closed. The default is 10 s.
    public var pingTimeout: Duration = .seconds(10)
    /// The interval of PINGs on an idle connection. The default is `nil`: none are sent.
    public var idlePingInterval: Duration?

    /// The number of a connection's first stream. Tests raise it to reach the last number.
    var firstStream: Int32 = 1

    /// Settings with the documented defaults.
    public init() {}

    /// A stream's initial window, limited to the range that RFC 9113 §6.5.2 allows.
    var clampedStreamWindowSize: Int { min(max(initialStreamWindowSize, 1), ReceiveWindow.limit) }
  }

  /// Returns whether a connection to `origin` carries one exchange or many at once, as far as that is known in advance.
  func sharing(of origin: Origin) -> PoolState.Sharing {
    switch versions {
    case .http1: .exclusive
    case .http2: .shared
    case .automatic: origin.isSecure ? .unknown : .exclusive
    }
  }
}

extension HTTPTransportConfiguration.Versions {
  /// The protocols that the TLS handshake offers (RFC 7301), in order of preference.
  var applicationProtocols: [String] {
    switch self {
    case .automatic: ["h2", "http/1.1"]
    case .http1: ["http/1.1"]
    case .http2: ["h2"]
    }
  }
}
