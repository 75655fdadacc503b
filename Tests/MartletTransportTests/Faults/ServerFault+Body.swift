import MartletCore
import MartletTesting

/// Faults in the body and the trailers.
extension ServerFault {
  static let bodyFaults = [
    ServerFault(.body, "falls silent", [.readRequest, .send(three), .stall], .receiveTimeOut),
    ServerFault(
      .body, "closes the connection", [.readRequest, .send(three), .close],
      .cutShort(after: "3 of 10")),
    ServerFault(
      .body, "resets the connection", [.readRequest, .send(three), .reset],
      .cutShort(after: "3 of 10")),
    ServerFault(
      .body, "closes its direction", [.readRequest, .send(three), .halfClose, .stall],
      .cutShort(after: "3 of 10")),
    ServerFault(
      .body, "sends it byte by byte",
      [.readRequest, .send(ok + "Content-Length: 10\r\n\r\n"), drip("0123456789")],
      .answer("0123456789")),
    ServerFault(
      .body, "sends more than it announced",
      [.readRequest, .send(three + "3456789surplus"), .stall],
      .answer("0123456789")),
    ServerFault(
      .body, "falls silent within a chunk", [.readRequest, .send(chunk), .stall], .receiveTimeOut),
    ServerFault(
      .body, "closes the connection within a chunk", [.readRequest, .send(chunk), .close],
      .cutShort(after: "3")),
    ServerFault(
      .body, "resets the connection within a chunk", [.readRequest, .send(chunk), .reset],
      .cutShort(after: "3")),
    ServerFault(
      .body, "closes the connection between two chunks",
      [.readRequest, .send(chunks + "3\r\nabc\r\n"), .close], .cutShort(after: "3")),
    ServerFault(
      .body, "sends chunks byte by byte",
      [.readRequest, .send(chunks), drip("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")], .answer("abcde")),
    ServerFault(
      .body, "sends a chunk size that is no number",
      [.readRequest, .send(chunks + "zz\r\n"), .stall],
      .notHTTP("the size of a chunk is “zz\\u{d}”")),
    ServerFault(
      .body, "sends a chunk size beyond 2⁶⁴",
      [.readRequest, .send(chunks + "fffffffffffffffff\r\n"), .stall],
      .notHTTP("the size of a chunk is “fffffffffffffffff\\u{d}”")),
    ServerFault(
      .body, "sends a chunk size below zero", [.readRequest, .send(chunks + "-1\r\n"), .stall],
      .notHTTP("the size of a chunk is “-1\\u{d}”")),
    ServerFault(
      .body, "sends a chunk that is longer than announced",
      [.readRequest, .send(chunks + "2\r\nabcdef\r\n0\r\n\r\n"), .stall],
      .notHTTP("a chunk is longer than its size says")),
    ServerFault(
      .body, "sends 80 KiB of chunk extensions",
      [.readRequest, .send(chunks + "2;\(long)\r\nok\r\n0\r\n\r\n"), .stall],
      .notHTTP("the size line of a chunk is too long")),
    ServerFault(
      .body, "falls silent in a body that ends with the connection",
      [.readRequest, .send(ok + "\r\nabc"), .stall], .receiveTimeOut),
    ServerFault(
      .body, "resets the connection in a body that ends with it",
      [.readRequest, .send(ok + "\r\nabc"), .reset], routes: FaultRoute.directRoutes,
      .cutShort(after: "3")),
    ServerFault(
      .body, "sends a body that ends with the connection byte by byte",
      [.readRequest, .send(ok + "\r\n"), drip("0123456789"), .close], .answer("0123456789")),
  ]

  static let trailerFaults = [
    ServerFault(
      .trailers, "falls silent", [.readRequest, .send(trailer), .stall], .receiveTimeOut),
    ServerFault(
      .trailers, "closes the connection", [.readRequest, .send(trailer), .close],
      .cutShort(after: "2")),
    ServerFault(
      .trailers, "resets the connection", [.readRequest, .send(trailer), .reset],
      .cutShort(after: "2")),
    ServerFault(
      .trailers, "closes its direction", [.readRequest, .send(trailer), .halfClose, .stall],
      .cutShort(after: "2")),
    ServerFault(
      .trailers, "sends them byte by byte",
      [.readRequest, .send(chunks + "2\r\nok\r\n0\r\n"), drip("Sum: 1\r\n\r\n")], .answer()),
    ServerFault(
      .trailers, "sends a line without a colon",
      [.readRequest, .send(trailer + "\r\n\r\n"), .stall],
      .notHTTP("a header line is “Su”")),
    ServerFault(
      .trailers, "sends 80 KiB", [.readRequest, .send(trailer + ": \(long)\r\n\r\n"), .stall],
      .headTooLarge),
  ]

  /// A head that announces ten bytes, and three of them.
  private static let three = ok + "Content-Length: 10\r\n\r\n012"
  private static let chunks = ok + "Transfer-Encoding: chunked\r\n\r\n"
  /// Three of five bytes of a chunk.
  private static let chunk = chunks + "5\r\nabc"
  /// A complete body, and the beginning of a trailer field.
  private static let trailer = chunks + "2\r\nok\r\n0\r\nSu"
}
