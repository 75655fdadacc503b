import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOTLS

/// The settings that all connections of a server share.
struct HTTPService: Sendable {
  /// The protocol of a new connection.
  enum ProtocolSelection: Sendable {
    case http1
    /// HTTP/2 from the first byte (RFC 9113 §3.3).
    case http2
    /// The protocol that the TLS handshake selects.
    case negotiated
  }

  let router: ServerRouter
  let bodyLimit: Int
  let isSecure: Bool
  let protocolSelection: ProtocolSelection
  let served: AwaitableValue<Int>

  /// Adds NIO's handlers and the server's own to a new connection.
  func install(in channel: any Channel) throws {
    switch protocolSelection {
    case .http1: try installHTTP1(in: channel)
    case .http2: try installHTTP2(in: channel)
    case .negotiated: try installAgreed(in: channel)
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

/// Set-up of connections that may use HTTP/2.
extension HTTPService {
  /// Sets a connection up for the protocol that the TLS handshake selects (RFC 7301).
  func installAgreed(in channel: any Channel) throws {
    let agreement = ApplicationProtocolNegotiationHandler { result, channel in
      channel.eventLoop.makeCompletedFuture {
        if case .negotiated("h2") = result {
          try installHTTP2(in: channel)
        } else {
          try installHTTP1(in: channel)
        }
      }
    }
    try channel.pipeline.syncOperations.addHandler(agreement)
  }

  /// Sets a connection up for HTTP/2: each stream is a channel with a codec, which converts to the message parts of
  /// HTTP/1.1, and an `HTTPConnectionHandler`.
  func installHTTP2(in channel: any Channel) throws {
    let handler = NIOHTTP2Handler(
      mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: Self.connection,
      streamConfiguration: Self.stream
    ) { stream in
      stream.eventLoop.makeCompletedFuture {
        try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
        try stream.pipeline.syncOperations.addHandler(HTTPConnectionHandler(self))
      }
    }
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  /// The limit of resets, errors and control frames: so high that tests may cancel any number of requests at any rate.
  private static let floodLimit = 1_000_000

  private static let connection = {
    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
    configuration.maximumRecentlyResetStreams = 4096
    configuration.maximumConnectionGlitches = floodLimit
    configuration.controlFrameRateLimit.maximumCount = floodLimit
    configuration.targetWindowSize = 16 << 20
    return configuration
  }()

  private static let stream = {
    var configuration = NIOHTTP2Handler.StreamConfiguration()
    configuration.streamResetFrameRateLimit.maximumCount = floodLimit
    configuration.streamErrorRateLimit.maximumCount = floodLimit
    configuration.targetWindowSize = 1 << 20
    return configuration
  }()
}
