import NIOCore
import NIOHTTP1

/// What all connections of a server share.
struct HTTPService: Sendable {
  /// What is spoken on a new connection.
  enum Opening: Sendable {
    case http1
    /// HTTP/2 from the first byte (RFC 9113 §3.3).
    case http2
    /// What the TLS handshake agrees on.
    case agreed
  }

  let router: Router
  let bodyLimit: Int
  let isSecure: Bool
  let opening: Opening
  let served: Observed<Int>

  /// Adds NIO's handlers and ours to a new connection.
  func install(in channel: any Channel) throws {
    switch opening {
    case .http1: try installHTTP1(in: channel)
    case .http2: try installHTTP2(in: channel)
    case .agreed: try installAgreed(in: channel)
    }
  }

  func installHTTP1(in channel: any Channel) throws {
    var encoding = HTTPResponseEncoder.Configuration()
    encoding.automaticallySetFramingHeaders = false
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withEncoderConfiguration: encoding)
    try channel.pipeline.syncOperations.addHandler(HTTPConnectionHandler(self))
  }
}
