import MartletCore
import MartletTesting
import NIOCore

/// Faults in the TLS handshake and in the answer of a proxy.
extension ServerFault {
  static let handshakeFaults = [
    tls("closes the connection", [.readBytes(1), .close], .closedInHandshake),
    tls("resets the connection", [.readBytes(1), .reset], .closedInHandshake),
    tls("closes its direction", [.readBytes(1), .halfClose, .stall], .closedInHandshake),
    tls("falls silent", [.stall], .handshakeTimeOut),
    tls(
      "falls silent within a record", [.readBytes(1), .sendBytes(halfRecord), .stall],
      .handshakeTimeOut),
    tls(
      "sends a record byte by byte, for longer than the time-out",
      [.readBytes(1), .drip(halfRecord, every: FaultExchange.idle / 10), .stall],
      .handshakeTimeOut),
    tls(
      "closes within a record", [.readBytes(1), .sendBytes(halfRecord), .close], .closedInHandshake),
    tls(
      "resets within a record", [.readBytes(1), .sendBytes(halfRecord), .reset], .closedInHandshake),
    tls(
      "answers without TLS",
      [.readBytes(1), .send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .stall],
      .noTLS),
    tls(
      "sends bytes of no protocol",
      [.readBytes(1), .sendBytes(ByteBuffer(bytes: [0, 255, 7, 128, 1, 2, 3, 4, 5])), .stall],
      .noTLS),
    tls(
      "sends an alert",
      [.readBytes(1), .sendBytes(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 40])), .stall],
      .handshakeFailed(
        "the server supports none of the ciphers and signatures that are offered, such as AES-128-GCM and SHA-256."
      )),
    tls(
      "sends a record that is too long",
      [.readBytes(1), .sendBytes(ByteBuffer(bytes: [22, 3, 3, 255, 255, 2, 0, 0, 118])), .stall],
      .noTLS),
    tls(
      "sends a message that is too long",
      [.readBytes(1), .sendBytes(ByteBuffer(bytes: [22, 3, 3, 0, 4, 2, 255, 255, 255])), .stall],
      .noTLS),
    tls(
      "sends data instead of a handshake",
      [.readBytes(1), .sendBytes(ByteBuffer(bytes: [23, 3, 3, 0, 2, 1, 2])), .stall],
      .noTLS),
  ]

  static let proxyFaults = [
    connect("falls silent", [.stall], .proxyTimeOut),
    connect("closes the connection", [.readRequest, .close], .closedByProxy),
    connect("resets the connection", [.readRequest, .reset], .closedByProxy),
    connect("closes its direction", [.readRequest, .halfClose, .stall], .closedByProxy),
    connect(
      "falls silent within its answer", [.readRequest, .send("HTTP/1.1 200 O"), .stall],
      .proxyTimeOut),
    connect(
      "closes within its answer", [.readRequest, .send("HTTP/1.1 200 O"), .close], .closedByProxy),
    connect(
      "resets within its answer", [.readRequest, .send("HTTP/1.1 200 O"), .reset], .closedByProxy),
    connect(
      "answers byte by byte, for longer than the time-out",
      [.readRequest, drip("HTTP/1.1 200 OK\r\nX: y\r\n\r\n"), .stall], .proxyTimeOut),
    connect(
      "announces a body with its 200, and sends it",
      [.readRequest, .send(ok + "Content-Length: 5\r\n\r\noops!"), .stall], .noTLS),
    connect(
      "sends another protocol", [.readRequest, .send("SSH-2.0\r\n"), .stall],
      .notHTTPProxy(isSafeToRetry: true)),
    connect(
      "sends an answer of SOCKS", [.readRequest, .sendBytes(ByteBuffer(bytes: [5, 0])), .stall],
      .notHTTPProxy(isSafeToRetry: true)),
    connect(
      "sends 80 KiB", [.readRequest, .send(ok + "X: \(long)"), .stall],
      .notHTTPProxy(isSafeToRetry: true)),
    connect(
      "refuses",
      [
        .readRequest, .send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"),
        .stall,
      ],
      .error(
        .proxyRefused, .proxy,
        "The proxy {proxy} made no connection to {origin}, but answered 503 Service Unavailable: check the URL, or ask the operator of the proxy.",
        isSafeToRetry: true)),
    connect(
      "wants authentication",
      [
        .readRequest,
        .send(
          "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
        ), .stall,
      ],
      .credentialsMissing),
    socks("falls silent", [.stall], .proxyTimeOut),
    socks("closes the connection", [.readBytes(3), .close], .closedByProxy),
    socks("resets the connection", [.readBytes(3), .reset], .closedByProxy),
    socks("closes its direction", [.readBytes(3), .halfClose, .stall], .closedByProxy),
    socks("falls silent within its answer", [.readBytes(3), bytes(5), .stall], .proxyTimeOut),
    socks("closes within its answer", [.readBytes(3), bytes(5, 0, 5), .close], .closedByProxy),
    socks("resets within its answer", [.readBytes(3), bytes(5, 0, 5), .reset], .closedByProxy),
    socks(
      "answers byte by byte, for longer than the time-out",
      [.readBytes(3), drip("\u{5}\u{0}\u{5}"), .stall], .proxyTimeOut),
    socks("sends another protocol", [.readBytes(3), .send(ok), .stall], .notSOCKS),
    socks(
      "accepts no method", [.readBytes(3), bytes(5, 255), .stall],
      .credentialsMissing),
    socks(
      "chooses a method that was not offered", [.readBytes(3), bytes(5, 9), .stall], .notSOCKS),
    socks(
      "fails", [.readBytes(3), bytes(5, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0), .stall],
      .error(
        .proxyFailed, .proxy,
        "The proxy {proxy} made no connection to {origin}: it failed, and does not say why.",
        isSafeToRetry: true)),
    socks(
      "refuses", [.readBytes(3), bytes(5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0), .stall],
      .error(
        .proxyRefused, .proxy,
        "The proxy {proxy} made no connection to {origin}: its rules forbid it.",
        isSafeToRetry: true)),
  ]

  /// The beginning of a ServerHello, whose record is said to be longer.
  private static let halfRecord = ByteBuffer(bytes: [
    22, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3, 1, 2, 3,
  ])

  private static func bytes(_ bytes: UInt8...) -> Script.Step {
    .sendBytes(ByteBuffer(bytes: bytes))
  }

  private static func tls(_ name: String, _ steps: [Script.Step], _ ending: FaultEnding)
    -> ServerFault
  {
    ServerFault(.tls, name, steps, sendings: 0, routes: [.secure, .tunnel], ending)
  }

  private static func connect(_ name: String, _ steps: [Script.Step], _ ending: FaultEnding)
    -> ServerFault
  {
    ServerFault(.proxy, name, steps, sendings: 0, routes: [.tunnel], ending)
  }

  private static func socks(_ name: String, _ steps: [Script.Step], _ ending: FaultEnding)
    -> ServerFault
  {
    ServerFault(.proxy, name, steps, sendings: 0, routes: [.socks], ending)
  }
}
