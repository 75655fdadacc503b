public import NIOCore

/// The steps of a scripted server on one connection.
///
///     Script.text("ok")
///     Script.respond("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
///     Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Le"), .reset])
///     Script.keepAlive([.text("one"), .text("two")])
///
/// The connection is closed after the last step; end with `.stall` to leave it open.
public struct Script: Sendable {
  /// One action, or one event to wait for.
  public enum Step: Sendable {
    /// Wait until the TLS handshake is complete, on a server with TLS.
    case handshake
    /// Wait until the next request is complete: its head, and the body that its framing announces.
    case readRequest
    /// Wait for the head of the next request only.
    case readHead
    /// Wait until this many bytes have arrived on the connection in all.
    case readBytes(Int)
    /// Send bytes unchanged.
    case sendBytes(ByteBuffer)
    /// Send a response. In the last step of a script, `Connection: close` is added to it.
    case reply(CannedResponse)
    /// Send bytes one at a time.
    case drip(ByteBuffer, every: Duration)
    /// Do nothing for a while.
    case wait(Duration)
    /// Stop reading from the network, so that the client's writes block.
    case stopReading
    /// Resume reading from the network.
    case resumeReading
    /// Send nothing more, and wait until the client closes the connection.
    case stall
    /// Close the sending direction of the connection, and continue to read.
    case halfClose
    /// Close the connection with a TCP reset.
    case reset
    /// Close the connection.
    case close

    /// Send a text unchanged.
    public static func send(_ text: String) -> Step { .sendBytes(ByteBuffer(string: text)) }
  }

  /// The steps, in order.
  public var steps: [Step]

  /// A script from its steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// This script, followed by more steps.
  public func then(_ steps: Step...) -> Script {
    Script(self.steps + steps)
  }
}

extension Script {
  /// Waits for a request and sends a complete response unchanged.
  ///
  /// The connection is then closed. If the client sends another request, the response needs `Connection: close`:
  /// otherwise the client may reuse the connection and find it closed.
  public static func respond(_ text: String) -> Script {
    Script([.readRequest, .send(text)])
  }

  /// Waits for a request and sends a response.
  public static func reply(_ response: CannedResponse) -> Script {
    Script([.readRequest, .reply(response)])
  }

  /// Answers with a text.
  public static func text(_ text: String, status: Int = 200) -> Script {
    .reply(CannedResponse(status, ["Content-Type": "text/plain; charset=utf-8"], text))
  }

  /// Answers with a JSON text.
  public static func json(_ text: String, status: Int = 200) -> Script {
    .reply(CannedResponse(status, ["Content-Type": "application/json"], text))
  }

  /// Answers with a status and no body.
  public static func status(_ status: Int, _ headers: KeyValuePairs<String, String> = [:]) -> Script
  {
    .reply(CannedResponse(status, headers))
  }

  /// Answers with a redirect.
  public static func redirect(_ status: Int = 302, to location: String) -> Script {
    .reply(CannedResponse(status, ["Location": location]))
  }

  /// Plays several scripts on one connection, one after another.
  public static func keepAlive(_ scripts: [Script]) -> Script {
    Script(scripts.flatMap(\.steps))
  }

  /// Waits for a request and never answers.
  public static let silent = Script([.readRequest, .stall])
}
