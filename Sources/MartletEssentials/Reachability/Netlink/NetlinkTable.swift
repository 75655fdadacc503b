/// A table that can be requested from the kernel as a whole.
enum NetlinkTable: CaseIterable {
  case links, addresses, routes

  /// Returns the request for the table; the messages of the answer repeat the sequence number.
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

  /// An empty `struct ifinfomsg`, `ifaddrmsg` or `rtmsg`, which requests all entries.
  private var body: [UInt8] {
    switch self {
    case .links: Array(repeating: 0, count: 16) + Self.withoutCounters
    case .addresses: Array(repeating: 0, count: 8)
    case .routes: Array(repeating: 0, count: 12)
    }
  }

  /// The attribute IFLA_EXT_MASK with RTEXT_FILTER_SKIP_STATS: counters are the larger part of a link's message.
  private static var withoutCounters: [UInt8] {
    var attribute: [UInt8] = []
    attribute.append(number: UInt16(8))
    attribute.append(number: UInt16(29))
    attribute.append(number: UInt32(8))
    return attribute
  }
}

/// The answer to a request for a table, collected from datagrams.
struct NetlinkDump {
  /// How an answer ended.
  enum End: Hashable {
    case complete
    /// The table changed while it was read, so that entries may be missing or duplicate.
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

  /// Adds the messages of a datagram; returns how the answer ended, if it has.
  mutating func add(_ bytes: [UInt8]) -> End? {
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
