/// The answer to the request for a table, as it comes in.
struct NetlinkDump {
  /// How an answer ended.
  enum End: Hashable {
    case complete
    /// The table changed while it was read, so that something may be missing or be there twice.
    case interrupted
    case failed
  }

  private let sequence: UInt32
  private var isInterrupted = false
  private(set) var messages: [NetlinkMessage] = []

  /// - Parameter sequence: The number of the request.
  init(sequence: UInt32) {
    self.sequence = sequence
  }

  /// Takes what came; whether that was the end.
  mutating func take(_ bytes: [UInt8]) -> End? {
    for message in NetlinkMessages(bytes[...]) where message.sequence == sequence {
      isInterrupted = isInterrupted || message.isInterrupted
      switch message.kind {
      case .done: return isInterrupted ? .interrupted : .complete
      case .failure: return .failed
      default: messages.append(message)
      }
    }
    return nil
  }
}
