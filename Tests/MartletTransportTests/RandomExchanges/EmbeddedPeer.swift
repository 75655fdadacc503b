import MartletTesting
import NIOCore
import NIOEmbedded

@testable import MartletTransport

/// A connection of an `EmbeddedNetwork`, as the server sees it.
final class EmbeddedPeer {
  let channel: EmbeddedChannel
  private let isHTTP2: Bool
  private let gate = ReadGate()
  /// What the server has sent, and the connection has not read.
  private var unread: [ByteBuffer] = []

  /// Records whether the connection has asked for bytes.
  private final class ReadGate: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var isOpen = false

    func read(context: ChannelHandlerContext) {
      isOpen = true
    }
  }

  init(_ channel: EmbeddedChannel, isHTTP2: Bool) throws {
    self.channel = channel
    self.isHTTP2 = isHTTP2
    try channel.pipeline.syncOperations.addHandler(gate, position: .first)
    channel.pipeline.read()
  }

  func send(_ bytes: ByteBuffer) {
    unread.append(bytes)
    deliver()
  }

  /// Delivers what was sent, as far as the connection reads it.
  func deliver() {
    while channel.isActive, gate.isOpen, !unread.isEmpty {
      gate.isOpen = false
      channel.pipeline.fireChannelRead(unread.removeFirst())
      channel.pipeline.fireChannelReadComplete()
      channel.pipeline.read()
    }
  }

  /// Makes room for more bytes of requests, or takes it away.
  func set(_ isWritable: Bool) {
    guard channel.isActive, channel.isWritable != isWritable else { return }
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
  }

  /// Answers all requests that have arrived whole, and makes room for the others.
  func answerAll() {
    set(true)
    if isHTTP2 {
      guard let connection: HTTP2Connection = handler() else { return }
      send(bytes(.settings, 99))
      for (number, stream) in connection.streams.sorted(by: { $0.key < $1.key }) {
        send(frames(stream.exchange.sending.isWhole ? .answer : .chunk, UInt32(number)))
      }
    } else if let connection: HTTP1Connection = handler(),
      connection.exchange?.sending.isWhole == true
    {
      send(bytes(.answer, 0))
    }
  }

  private func handler<Handler: ChannelHandler>() -> Handler? {
    try? channel.pipeline.syncOperations.handler(type: Handler.self)
  }
}

extension EmbeddedPeer {
  /// The bytes of what a server sends.
  func bytes(_ output: RandomOperation.ServerOutput, _ number: Int) -> ByteBuffer {
    isHTTP2 ? frames(output, UInt32(number % 8 * 2 + 1)) : ByteBuffer(string: text(output))
  }

  /// More bytes than a stream keeps for a reader that does not read.
  private static let flood = 1_600_000
  private static let part = String(repeating: "x", count: 16 << 10)

  /// No body is a number in hexadecimal, which would be the length of a long chunk.
  private func text(_ output: RandomOperation.ServerOutput) -> String {
    switch output {
    case .answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    case .answerAndClose: "HTTP/1.1 503 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"
    case .head: "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"
    case .chunkedHead: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    case .body: "wxyz"
    case .chunk: "3\r\nxyz\r\n"
    case .lastChunk: "0\r\nSum: 1\r\n\r\n"
    case .continue100: "HTTP/1.1 100 Continue\r\n\r\n"
    case .refused417: "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"
    case .switched: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
    case .garbage: "SSH-2.0\r\n"
    case .settings: "HTTP/1.1 204 No Content\r\n\r\n"
    case .rest: "uvwxyzuvwxyz"
    case .flood:
      text(.chunkedHead) + String(Self.flood, radix: 16) + "\r\n"
        + String(repeating: "x", count: Self.flood) + "\r\n"
    }
  }

  private func frames(_ output: RandomOperation.ServerOutput, _ stream: UInt32) -> ByteBuffer {
    let frames: [RawFrame] =
      switch output {
      case .answer: [.headers(stream), .data(stream, "ok", end: true)]
      case .answerAndClose: [.headers(stream, end: true), .goAway(stream)]
      case .head: [.headers(stream, [":status": "200", "content-length": "12"])]
      case .chunkedHead: [.headers(stream)]
      case .body: [.data(stream, "wxyz")]
      case .chunk: [.windowUpdate(0, 50_000), .windowUpdate(stream, 50_000)]
      case .lastChunk: [.data(stream, "", end: true)]
      case .continue100: [.headers(stream, [":status": "100"])]
      case .refused417: [.reset(stream, .refusedStream)]
      case .switched: [.goAway(stream, stream % 4 == 1 ? .noError : .internalError)]
      case .garbage: [.reset(stream, .internalError)]
      case .settings: [.settings([.maxConcurrentStreams: stream % 5]), .settingsAck]
      case .rest: [.data(stream, "uvwxyzuvwxyz", end: true), .ping(7)]
      case .flood: [.headers(stream)] + (0..<100).map { _ in .data(stream, Self.part) }
      }
    var bytes = ByteBuffer()
    for frame in frames { bytes.writeImmutableBuffer(frame.bytes) }
    return bytes
  }
}
