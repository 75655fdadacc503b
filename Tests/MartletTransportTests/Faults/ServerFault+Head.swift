import MartletCore
import MartletTesting
import NIOCore

/// Faults in the status line and the header fields.
extension ServerFault {
  static let headFaults = [
    ServerFault(.head, "sends nothing", [.readRequest, .stall], .waitTimeOut),
    ServerFault(.head, "closes the connection", [.readRequest, .close], .lost),
    ServerFault(.head, "resets the connection", [.readRequest, .reset], .lost),
    ServerFault(.head, "closes its direction", [.readRequest, .halfClose, .stall], .lost),
    ServerFault(
      .head, "sends a part and falls silent", [.readRequest, .send("HTTP/1.1 20"), .stall],
      .receiveTimeOut),
    ServerFault(
      .head, "sends a part and closes", [.readRequest, .send("HTTP/1.1 20"), .close],
      .notHTTP("the connection ended within its head")),
    ServerFault(
      .head, "sends a part and resets", [.readRequest, .send("HTTP/1.1 20"), .reset],
      .notHTTP("the connection ended within its head")),
    ServerFault(
      .head, "sends another protocol", [.readRequest, .send("SSH-2.0-OpenSSH_9.2"), .stall],
      .otherProtocol("it begins with “SSH-2.0-OpenSSH_9.2”")),
    ServerFault(
      .head, "sends bytes of no protocol",
      [.readRequest, .sendBytes(ByteBuffer(bytes: [0, 255, 7, 128])), .stall],
      .otherProtocol("it begins with “\\u{0}\u{fffd}\\u{7}\u{fffd}”")),
    ServerFault(
      .head, "sends an alert of TLS",
      [.readRequest, .sendBytes(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 40])), .stall],
      .otherProtocol("it begins with “\\u{15}\\u{3}\\u{3}\\u{0}\\u{2}\\u{2}(”")),
    ServerFault(
      .head, "sends frames of HTTP/2",
      [.readRequest, .sendBytes(RawFrame.settings().bytes), .stall],
      .otherProtocol(
        "it begins with “\\u{0}\\u{0}\\u{0}\\u{4}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}”")),
    ServerFault(
      .head, "sends it byte by byte", [.readRequest, drip("HTTP/1.1 200 OK\r\n"), okFields],
      .answer()),
    ServerFault(
      .head, "sends 80 KiB",
      [.readRequest, .send("HTTP/1.1 200 \(long)\r\n"), okFields], .headTooLarge),
    ServerFault(
      .head, "sends a status of two digits",
      [.readRequest, .send("HTTP/1.1 20 OK\r\n\r\n"), .stall],
      .notHTTP("its status line is “HTTP/1.1 20 OK”")),
    ServerFault(
      .head, "sends many interim responses",
      [.readRequest, .send(interim(1000) + "HTTP/1.1 200 OK\r\n"), okFields], .answer()),
    ServerFault(
      .head, "sends interim responses and falls silent",
      [.readRequest, .send(interim(50)), .stall], .waitTimeOut),
    ServerFault(
      .head, "sends 80 KiB of interim responses", [.readRequest, .send(interim(2000)), .stall],
      .error(
        .headTooLarge, .receive,
        "The interim responses before the final one are larger than 65536 bytes: raise `limits.responseHeadSize` if the server is to be trusted."
      )),
    ServerFault(
      .head, "switches to another protocol without a request",
      [.readRequest, .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), .stall],
      .notHTTP("it switches to a protocol that was not asked for")),
  ]

  static let fieldFaults = [
    ServerFault(
      .fields, "falls silent", [.readRequest, .send(ok + "Content-Le"), .stall], .receiveTimeOut),
    ServerFault(
      .fields, "closes the connection", [.readRequest, .send(ok + "Content-Le"), .close],
      .notHTTP("the connection ended within its head")),
    ServerFault(
      .fields, "resets the connection", [.readRequest, .send(ok + "Content-Le"), .reset],
      .notHTTP("the connection ended within its head")),
    ServerFault(
      .fields, "closes its direction",
      [.readRequest, .send(ok + "Content-Le"), .halfClose, .stall],
      .notHTTP("the connection ended within its head")),
    ServerFault(
      .fields, "sends them byte by byte",
      [.readRequest, .send(ok), drip("Content-Length: 2\r\n\r\n"), .send("ok")], .answer()),
    ServerFault(
      .fields, "sends 80 KiB", [.readRequest, .send(ok + "X: \(long)\r\n"), okFields],
      .headTooLarge),
    ServerFault(
      .fields, "sends fields without an end",
      [.readRequest, .send(ok + String(repeating: "A: b\r\n", count: 14_000)), .stall],
      .headTooLarge),
    ServerFault(
      .fields, "sends a line without a colon", [.readRequest, .send(ok + "oops\r\n\r\n"), .stall],
      .notHTTP("a header line is “oops”")),
    ServerFault(
      .fields, "sends a NUL", [.readRequest, .send(ok + "A: b\0c\r\n\r\n"), .stall],
      .notHTTP("the value of its header “A” holds a control character")),
    ServerFault(
      .fields, "sends a space before a colon", [.readRequest, .send(ok + "A : b\r\n\r\n"), .stall],
      .notHTTP("a header line is “A : b”")),
    ServerFault(
      .fields, "announces two lengths",
      [.readRequest, .send(ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nok"), .stall],
      .notHTTP("it has two different Content-Length values, “1, 2”")),
    ServerFault(
      .fields, "announces a length below zero",
      [.readRequest, .send(ok + "Content-Length: -2\r\n\r\nok"), .stall],
      .notHTTP("its Content-Length is “-2”, which is not a number")),
    ServerFault(
      .fields, "announces a length beyond 2⁶³",
      [.readRequest, .send(ok + "Content-Length: 99999999999999999999\r\n\r\nok"), .stall],
      .notHTTP(
        "its Content-Length is “99999999999999999999”, which is larger than any body can be")),
    ServerFault(
      .fields, "announces a length and chunks",
      [
        .readRequest,
        .send(ok + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
        .stall,
      ], .answer()),
    ServerFault(
      .fields, "announces an unknown transfer coding",
      [.readRequest, .send(ok + "Transfer-Encoding: braid\r\n\r\nok"), .stall],
      .notHTTP("its transfer coding is “braid”, but only “chunked” is supported")),
  ]

  // MARK: What servers send

  static let ok = "HTTP/1.1 200 OK\r\n"
  static let okFields = Script.Step.send("Content-Length: 2\r\n\r\nok")
  static let long = String(repeating: "x", count: 80 << 10)

  static func interim(_ count: Int) -> String {
    String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: count)
  }

  /// Sends a text so slowly that the time-out passes in the meantime, but not between two bytes.
  static func drip(_ text: String) -> Script.Step {
    let count = max(text.utf8.count, 1)
    return .drip(ByteBuffer(string: text), every: FaultExchange.idle * 2 / count)
  }
}
