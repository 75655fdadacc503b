import MartletCore
import NIOCore
import NIOSSL
import NIOTLS

/// Secures a connected channel: handshake, trust, protocol agreement.
///
/// One value serves all connections of an engine: the context is made, and roots are read, once.
struct TLSHandshake: Sendable {
  /// What was agreed.
  struct Agreement: Sendable {
    var version: String
    var protocolName: String?
  }

  private let context: NIOSSLContext
  private let evaluator: (any TrustEvaluating)?

  /// - Throws: `MartletError` with code `.invalidTrustRoots`.
  init(_ options: TLSOptions, versions: EngineConfiguration.Versions) throws(MartletError) {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = options.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
    configuration.applicationProtocols = versions.applicationProtocols
    // A connection that nobody needs keeps its place until the server has answered the farewell.
    configuration.shutdownTimeout = .seconds(1)
    // The evaluator does all of the verification, so the context needs no roots of its own.
    configuration.trustRoots = .certificates([])
    configuration.certificateVerification =
      options.acceptsAnyCertificate ? .none : .noHostnameVerification
    evaluator = try Self.evaluator(options)
    do {
      context = try NIOSSLContext(configuration: configuration)
    } catch {
      throw .invalidTrustRoots("the TLS options", underlying: error)
    }
  }

  private static func evaluator(_ options: TLSOptions) throws(MartletError)
    -> (any TrustEvaluating)?
  {
    if options.acceptsAnyCertificate { return nil }
    if let evaluator = options.evaluator { return evaluator }
    return try CertificateTrust(options.roots)
  }

  /// Runs the handshake on a channel whose server is known as `origin`.
  ///
  /// - Throws: `MartletError` with one of the TLS codes; the channel is closed then.
  func secure(_ channel: any Channel, origin: Origin) async throws -> Agreement {
    let verdict = Locked<MartletError?>(nil)
    let promise = channel.eventLoop.makePromise(of: Agreement.self)
    do {
      try await channel.eventLoop.submit {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HandshakeWaiter(promise), position: .first)
        let tls = try makeHandler(host: origin.host, verdict: verdict)
        try pipeline.addHandler(tls, position: .first)
      }.get()
    } catch {
      promise.fail(error)
    }
    do {
      return try await promise.futureResult.get()
    } catch {
      channel.close(promise: nil)
      throw verdict.current ?? MartletError.tlsFailed(origin, underlying: error)
    }
  }

  private func makeHandler(host: String, verdict: Locked<MartletError?>) throws
    -> NIOSSLClientHandler
  {
    let name = HostAddress.isAddress(host) ? nil : host
    guard let evaluator else {
      return try NIOSSLClientHandler(context: context, serverHostname: name)
    }
    return try NIOSSLClientHandler(context: context, serverHostname: name) {
      certificates, promise in
      promise.completeWithTask {
        do {
          let ders = try certificates.map { try $0.toDERBytes() }
          try await evaluator.evaluate(ServerTrust(certificates: ders, host: host))
          return .certificateVerified
        } catch {
          verdict.withLock {
            $0 = error as? MartletError ?? .certificateUntrusted(host: host, underlying: error)
          }
          return .failed
        }
      }
    }
  }
}

/// Waits for the end of a handshake, then leaves the pipeline.
private final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<TLSHandshake.Agreement>

  init(_ promise: EventLoopPromise<TLSHandshake.Agreement>) {
    self.promise = promise
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .handshakeCompleted(let protocolName)? = event as? TLSUserEvent else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    let version = try? context.pipeline.syncOperations.nioSSL_tlsVersion()
    promise.succeed(
      TLSHandshake.Agreement(version: version?.name ?? "TLS", protocolName: protocolName))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise.fail(ChannelError.eof)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    promise.fail(ChannelError.eof)
  }
}

extension TLSVersion {
  fileprivate var name: String {
    switch self {
    case .tlsv1: "TLSv1"
    case .tlsv11: "TLSv1.1"
    case .tlsv12: "TLSv1.2"
    case .tlsv13: "TLSv1.3"
    }
  }
}
