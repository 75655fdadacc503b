/// The time-outs for the parts of an exchange.
///
///     Timeouts.none                                // no time-outs
///     Timeouts(.seconds(30))                       // 30 s to connect, for TLS and between bytes
///     Timeouts(.seconds(30), connect: .seconds(5)) // the same, but 5 s to connect
///
/// The default is 10 s to connect, 10 s for TLS and 60 s between bytes. A request's own time-outs override the
/// session's. Each is exact within 50 ms, and the error names the part that took too long. `nil`, and any value above
/// 100 years, means no time-out. While a call is suspended, or the reader of a stream does not read, only `total`
/// continues. A file that is being written is closed before the error is reported, unless that takes longer than one
/// second.
public struct Timeouts: Hashable, Sendable {
  /// The time to resolve the host and connect to one of its addresses. The default is 10 s.
  ///
  /// With a proxy, it is the time to resolve the proxy and connect to it, and the same time applies again to the
  /// proxy's handshake. `connect` and `tls` together also limit the wait for an HTTP/2 server that allows no
  /// request for now.
  public var connect: Duration?
  /// The time for the TLS handshake, including the evaluation of the server's certificate. The default is 10 s.
  public var tls: Duration?
  /// The time from the end of the request to the first byte of the response. On Linux the request ends when the
  /// system has sent its last byte. The default is `nil`: only `idle` limits the wait.
  public var firstByte: Duration?
  /// The time between two bytes sent or received. The default is 60 s.
  ///
  /// On Linux, body bytes that the system sends from its buffer count as well.
  public var idle: Duration?
  /// The time for the whole call, from `send` to the last byte, including the wait for a connection and all redirects.
  /// The default is `nil`.
  public var total: Duration?

  /// The default time-outs.
  public init() {
    self.init(connect: .seconds(10), tls: .seconds(10), idle: .seconds(60))
  }

  /// Time-outs for the given parts only; the others have none.
  public init(
    connect: Duration?, tls: Duration? = nil, firstByte: Duration? = nil, idle: Duration? = nil,
    total: Duration? = nil
  ) {
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.idle = idle
    self.total = total
  }

  /// The same time-out for connecting, for TLS and between bytes, except that `connect` overrides the first.
  public init(_ each: Duration, connect: Duration? = nil, total: Duration? = nil) {
    self.init(connect: connect ?? each, tls: each, idle: each, total: total)
  }

  /// The default time-outs, and one for the whole call.
  ///
  ///     let page: Page = try await api.get("search") { $0.options.timeouts = .total(.seconds(5)) }
  ///
  /// - Parameter duration: The time for the whole call.
  /// - Returns: The time-outs, in place of all of the session's.
  public static func total(_ duration: Duration) -> Timeouts {
    var timeouts = Timeouts()
    timeouts.total = duration
    return timeouts
  }

  /// No time-outs.
  public static let none = Timeouts(connect: nil)

  /// The time-outs without values that are too large for a clock.
  var bounded: Timeouts {
    Timeouts(
      connect: connect?.bounded, tls: tls?.bounded, firstByte: firstByte?.bounded,
      idle: idle?.bounded, total: total?.bounded)
  }
}

extension Duration {
  private static let century = Duration.seconds(100 * 365.25 * 24 * 60 * 60)

  /// The duration, or `nil` above 100 years, because clocks trap for waits of centuries.
  fileprivate var bounded: Duration? {
    self > .century ? nil : self
  }
}
