import Martlet

/// The version of HTTP, as request and status lines show it.
enum HTTPVersion: String, Sendable {
  case http1 = "HTTP/1.1"
  case http2 = "HTTP/2"

  /// What a connection speaks, over TLS or without.
  init(_ connection: ConnectionInfo) {
    self = connection.protocolName.hasPrefix("h2") ? .http2 : .http1
  }
}
