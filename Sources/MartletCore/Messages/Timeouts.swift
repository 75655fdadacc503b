/// How long to wait for each part of an exchange.
///
///     Timeouts.none                                // wait for ever
///     Timeouts(.seconds(30))                       // 30 s for each part
///     Timeouts(.seconds(30), connect: .seconds(5)) // less patience for connecting
///
/// The default is 10 s to connect, 10 s for TLS and 60 s between bytes. A request's own time-outs
/// win over the session's. Each is exact within 50 ms, and the error names the part that took too
/// long. `nil` waits for ever, and so does anything above 100 years. While a call is suspended, or a
/// stream's reader does not read, only `total` goes on. A file that is being written is let go of before the
/// error is told.
public struct Timeouts: Hashable, Sendable {
  /// Finding the host's addresses and connecting to one of them; with a proxy, finding and connecting to that,
  /// and as long again for what it does. Together with `tls` it also bounds the wait for an HTTP/2 server that
  /// allows no request for now. The default is 10 s.
  public var connect: Duration?
  /// The TLS handshake, including the evaluation of the server's certificate. The default is 10 s.
  public var tls: Duration?
  /// From the end of the request to the first byte of the response. On Linux the request ends when its last byte has
  /// left the system. The default is `nil`: the wait is bounded by `idle` only.
  public var firstByte: Duration?
  /// Between two bytes sent or received. On Linux bytes of a body that the system sends after it has taken them
  /// count. The default is 60 s.
  public var idle: Duration?
  /// The whole call, from `send` to the last byte, the wait for a connection and all redirects
  /// included.
  /// The default is `nil`.
  public var total: Duration?

  /// Time-outs with the documented defaults.
  public init() {
    self.init(connect: .seconds(10), tls: .seconds(10), idle: .seconds(60))
  }

  /// Time-outs for exactly the parts given; the others wait for ever.
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

  /// The same patience for connecting, for TLS and between bytes, unless `connect` says otherwise.
  public init(_ each: Duration, connect: Duration? = nil, total: Duration? = nil) {
    self.init(connect: connect ?? each, tls: each, idle: each, total: total)
  }

  /// Wait for ever.
  public static let none = Timeouts(connect: nil)

  /// The same without what no clock can count to.
  var bounded: Timeouts {
    Timeouts(
      connect: connect?.bounded, tls: tls?.bounded, firstByte: firstByte?.bounded,
      idle: idle?.bounded, total: total?.bounded)
  }
}

extension Duration {
  private static let century = Duration.seconds(100 * 365.25 * 24 * 60 * 60)

  /// `nil` above 100 years: clocks trap when they are asked to wait for centuries.
  fileprivate var bounded: Duration? {
    self > .century ? nil : self
  }
}
