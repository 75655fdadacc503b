/// Why a SOCKS 5 proxy has made no connection (RFC 1928 §6).
struct SOCKS5Reply: Equatable {
  let code: UInt8

  /// Whether it is the proxy that is to blame, so that another may do better.
  var hasFailed: Bool { code == 1 }

  /// The reason as a clause.
  var reason: String {
    switch code {
    case 1: "it failed, and does not say why"
    case 2: "its rules forbid it"
    case 3: "it has no route to the network"
    case 4: "it has no route to the host, or does not know it"
    case 5: "nothing listens there"
    case 6: "no answer came in time"
    case 7: "it makes no connections at all"
    case 8: "it does not know this kind of address"
    default: "it gives the reason \(code), which means nothing"
    }
  }
}
