import MartletCore
import MartletTransport
import NIOCore

/// How fast a form is sent; see ``MultipartFormData/throttleBandwidth(packetSize:delay:)``.
public struct UploadThrottle: Hashable, Sendable {
  /// What suits a slow cellular link: 16 KiB (REQ-M35).
  public static let suggestedCellularPacketSize = 16_384
  /// What suits a slow cellular link: 0.2 s (REQ-M35).
  public static let suggestedCellularDelay = Duration.milliseconds(200)

  /// The most bytes that are sent at once.
  public let packetSize: Int
  /// How long to wait after each packet.
  public let delay: Duration

  /// A pace.
  ///
  /// - Throws: `MartletError` with code `.invalidRequest` for packets that hold nothing.
  public init(packetSize: Int, delay: Duration) throws(MartletError) {
    guard packetSize > 0 else { throw .emptyPackets(packetSize) }
    (self.packetSize, self.delay) = (packetSize, delay)
  }
}

extension Body {
  /// The same body in packets with pauses behind them, each time it is sent (in place of REQ-M38).
  func paced(by throttle: UploadThrottle) -> Body {
    .producer(length: length, isReplayable: isReplayable) { write in
      try await BodyChunks.write(self) { chunk in
        var rest = chunk
        while rest.readableBytes > 0 {
          let size = min(rest.readableBytes, throttle.packetSize)
          guard let packet = rest.readSlice(length: size) else { return }
          try await write(packet)
          if throttle.delay > .zero { try await Task.sleep(for: throttle.delay) }
        }
      }
    }
  }
}
