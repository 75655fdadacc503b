import NIOCore

/// The settings that a peer states in one frame; those that it does not state are `nil` (RFC 9113 §6.5.2).
///
/// A setting may be stated several times in one frame. The last value counts, and those before it have an effect: the largest window
/// may be too large, and the smallest table loses entries.
struct HTTP2Settings {
  /// The identifiers of the settings.
  enum Name: UInt16 {
    case headerTableSize = 1
    case enablePush, maxConcurrentStreams, initialWindowSize, maxFrameSize, maxHeaderListSize
  }

  private(set) var headerTable: (smallest: Int, last: Int)?
  private(set) var maximumStreams: Int?
  private(set) var initialWindow: (largest: Int, last: Int)?

  /// Reads the payload of a SETTINGS frame. Settings that do not limit what is sent are only checked.
  init(_ payload: ByteBuffer) throws(HTTP2Fault) {
    var payload = payload
    while let (name, number) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
      let value = Int(number)
      switch Name(rawValue: name) {
      case .headerTableSize: headerTable = (min(headerTable?.smallest ?? value, value), value)
      case .maxConcurrentStreams: maximumStreams = value
      case .initialWindowSize:
        guard value <= ReceiveWindow.limit else {
          throw HTTP2Fault(.flowControlError, "an initial window of \(value) (RFC 9113 §6.5.2)")
        }
        initialWindow = (max(initialWindow?.largest ?? value, value), value)
      case .enablePush:
        // A server must not state anything but 0.
        guard value == 0 else { throw Self.fault("ENABLE_PUSH", value) }
      case .maxFrameSize:
        guard (FrameHeader.maximumLength...16_777_215).contains(value) else {
          throw Self.fault("MAX_FRAME_SIZE", value)
        }
      case .maxHeaderListSize, nil: break
      }
    }
  }

  private static func fault(_ name: String, _ value: Int) -> HTTP2Fault {
    HTTP2Fault(.protocolError, "the setting \(name) is \(value) (RFC 9113 §6.5.2)")
  }
}
