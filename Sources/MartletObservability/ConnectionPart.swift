import MartletCore
import Tracing

/// A part of making a connection, which has a span of its own.
enum ConnectionPart {
  /// The look-up of the addresses of a host.
  case lookup(String)
  /// The connection to an address.
  case connection(String)
  /// The TLS handshake with a host.
  case handshake(String)

  /// The name of the span.
  var name: String {
    switch self {
    case .lookup(let host): "DNS lookup \(host)"
    case .connection(let address): "socket connect \(address)"
    case .handshake(let host): "TLS handshake \(host)"
    }
  }

  /// The attributes of the span.
  var attributes: SpanAttributes {
    switch self {
    case .lookup(let host): ["dns.question.name": .string(host)]
    case .connection(let address):
      ConnectionInfo.peer(of: address).map {
        ["network.peer.address": .string($0.host), "network.peer.port": .int64(Int64($0.port))]
      } ?? ["network.peer.address": .string(address)]
    case .handshake(let host): ["server.address": .string(host)]
    }
  }
}
