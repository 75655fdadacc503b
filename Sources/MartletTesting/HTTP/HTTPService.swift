import NIOCore
import NIOHTTP1

/// What all connections of a server share.
struct HTTPService: Sendable {
  let router: Router
  let bodyLimit: Int
  let isSecure: Bool
  let served: Observed<Int>

  /// Adds NIO's HTTP/1.1 handlers and ours to a new connection.
  func install(in channel: any Channel) throws {
    var encoding = HTTPResponseEncoder.Configuration()
    encoding.automaticallySetFramingHeaders = false
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withEncoderConfiguration: encoding)
    try channel.pipeline.syncOperations.addHandler(HTTPConnectionHandler(self))
  }
}
