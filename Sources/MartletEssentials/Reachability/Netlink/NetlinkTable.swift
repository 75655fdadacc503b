/// A table that the kernel can be asked for as a whole.
enum NetlinkTable: CaseIterable {
  case links, addresses, routes

  /// The request for it; the messages of the answer repeat the number.
  func request(sequence: UInt32) -> [UInt8] {
    let body = body
    var request: [UInt8] = []
    request.append(number: UInt32(NetlinkMessage.headerSize + body.count))
    request.append(number: kind)
    // NLM_F_REQUEST and NLM_F_DUMP.
    request.append(number: UInt16(0x301))
    request.append(number: sequence)
    request.append(number: UInt32(0))
    return request + body
  }

  /// `RTM_GETLINK`, `RTM_GETADDR`, `RTM_GETROUTE`.
  private var kind: UInt16 {
    switch self {
    case .links: 18
    case .addresses: 22
    case .routes: 26
    }
  }

  /// An empty `struct ifinfomsg`, `ifaddrmsg` or `rtmsg`: everything.
  private var body: [UInt8] {
    switch self {
    case .links: Array(repeating: 0, count: 16) + Self.withoutCounters
    case .addresses: Array(repeating: 0, count: 8)
    case .routes: Array(repeating: 0, count: 12)
    }
  }

  /// The attribute IFLA_EXT_MASK with RTEXT_FILTER_SKIP_STATS: counters are the larger part of what there is
  /// to say of a link.
  private static var withoutCounters: [UInt8] {
    var attribute: [UInt8] = []
    attribute.append(number: UInt16(8))
    attribute.append(number: UInt16(29))
    attribute.append(number: UInt32(8))
    return attribute
  }
}

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
