import MartletCore
import NIOCore
import NIOSSL
import NIOTLS

/// Secures connected channels to one origin: handshake, trust, protocol negotiation.
struct TLSHandshake: Sendable {
  /// The negotiated TLS version and protocol.
  struct Agreement: Sendable {
    var version: String
    var protocolName: String?
  }

  let context: NIOSSLContext
  let evaluator: any TrustEvaluating
  let identityResolver: ClientIdentityResolver

  /// Runs the handshake with the server `origin` on a channel.
  ///
  /// - Parameters:
  ///   - channel: A channel with an inbound buffer at its end. It may run inside another TLS connection.
  ///   - origin: The server.
  ///   - limit: The longest time that the handshake may take; `nil` for no limit.
  ///   - executor: The executor of the channel's event loop.
  ///   - report: Receives the events of the handshake.
  /// - Returns: The negotiated TLS version and protocol.
  /// - Throws: `MartletError` with one of the TLS codes, or `.timedOut`, or as the evaluator or the identity provider
  ///   throws it; `CancellationError`. The channel is closed then.
  func secure(
    _ channel: any Channel, origin: Origin, within limit: Duration?,
    on executor: EngineExecutor, report: @Sendable (CallEvent.Kind) -> Void
  ) async throws -> Agreement {
    report(.securing(host: origin.host))
    let tasks = HandshakeTasks()
    do {
      let agreement = try await withTimeLimit(limit, on: executor) {
        MartletError.timedOut(.tls, after: $0, origin: origin)
      } body: {
        try await withTaskCancellationHandler {
          try await secure(channel, origin: origin, tasks)
        } onCancel: {
          tasks.cancel()
          channel.close(promise: nil)
        }
      }
      report(.secured(host: origin.host))
      return agreement
    } catch {
      channel.close(promise: nil)
      throw error
    }
  }

  private func secure(
    _ channel: any Channel, origin: Origin, _ tasks: HandshakeTasks
  ) async throws -> Agreement {
    let challengesBefore = identityResolver.challengeCount
    let evaluation = TrustEvaluation(evaluator, in: tasks)
    // Once the handshake is over, no answer is needed.
    defer { tasks.cancel() }
    let promise = channel.eventLoop.makePromise(of: Agreement.self)
    do {
      try await channel.eventLoop.submit {
        let pause = ReadPause()
        let context = try context(tasks, pause, on: channel.eventLoop)
        let tls = try makeHandler(context, host: origin.host, evaluation, pause)
        let waiter = HandshakeWaiter(promise, tls, pause)
        try InboundBufferHandler.insert(
          [pause, tls, PlaintextBuffers(), waiter], in: channel.pipeline.syncOperations)
      }.get()
    } catch {
      promise.fail(error)
    }
    do {
      let agreement = try await promise.futureResult.get()
      identityResolver.handshakeSucceeded(since: challengesBefore)
      return agreement
    } catch {
      throw evaluation.error ?? identityResolver.clientCertificateError(
        after: error, origin: origin, isFresh: false)
        ?? HandshakeFailure.error(error, origin: origin)
    }
  }

  /// The context for one connection. It has its own if the provider has to be asked, whose answer it waits for.
  private func context(
    _ tasks: HandshakeTasks, _ pause: ReadPause, on loop: any EventLoop
  ) throws -> NIOSSLContext {
    guard identityResolver.asksProvider else { return context }
    var configuration = context.configuration
    let pause = NIOLoopBound(pause, eventLoop: loop)
    configuration.sslContextCallback = { [identityResolver] _, promise in
      pause.value.pause(until: promise.futureResult)
      tasks.run(for: promise) { try await identityResolver.providedAnswer() }
    }
    return try NIOSSLContext(configuration: configuration)
  }

  private func makeHandler(
    _ context: NIOSSLContext, host: String, _ evaluation: TrustEvaluation, _ pause: ReadPause
  ) throws -> NIOSSLClientHandler {
    try NIOSSLClientHandler(context: context, serverHostname: ServerName(host).dnsName) {
      certificates, promise in
      pause.pause(until: promise.futureResult)
      evaluation.run(on: certificates, host: host, promise)
    }
  }
}

/// Waits for the end of a handshake, then leaves the pipeline.
private final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<TLSHandshake.Agreement>
  private let tls: NIOSSLClientHandler
  private let pause: ReadPause

  init(
    _ promise: EventLoopPromise<TLSHandshake.Agreement>, _ tls: NIOSSLClientHandler,
    _ pause: ReadPause
  ) {
    self.promise = promise
    self.tls = tls
    self.pause = pause
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .handshakeCompleted(let protocolName)? = event as? TLSUserEvent else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    promise.succeed(
      TLSHandshake.Agreement(version: tls.tlsVersion?.name ?? "TLS", protocolName: protocolName))
    context.pipeline.syncOperations.removeHandler(pause, promise: nil)
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

/// Turns errors of the TLS library into a `MartletError`.
enum HandshakeFailure {
  /// The error for a failed handshake.
  static func error(_ error: any Error, origin: Origin) -> MartletError {
    if isEnd(error) { return .closedDuringHandshake(origin, underlying: error) }
    var failure = known("\(error)", origin: origin) ?? .tlsFailed(origin, underlying: error)
    failure.underlying = error
    return failure
  }

  /// The error for a connection that ended after its handshake, if TLS is the reason.
  static func afterHandshake(_ error: (any Error)?, origin: Origin, phase: MartletError.Phase)
    -> MartletError?
  {
    guard let error, "\(error)".contains("NO_RENEGOTIATION") else { return nil }
    return .renegotiation(origin, phase: phase, underlying: error)
  }

  /// Whether the server has closed the connection without an alert.
  private static func isEnd(_ error: any Error) -> Bool {
    if case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])) = error { return true }
    return error is ChannelError || error is IOError
  }

  /// The errors for reasons that have a sentence of their own, found by BoringSSL's names for them.
  private static func known(_ text: String, origin: Origin) -> MartletError? {
    if ["PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL"].contains(where: text.contains) {
      return .noCommonVersion(origin)
    }
    if text.contains("ALERT_HANDSHAKE_FAILURE") { return .noCommonAlgorithm(origin) }
    // BoringSSL reads the certificate and checks its key usage before it calls the evaluator.
    if text.contains("CANNOT_PARSE_LEAF_CERT") {
      return TrustProblem(.unreadable).error(host: origin.host)
    }
    // BoringSSL reads the other certificates as well, even if they are not needed.
    if ["X.509 certificate routines", "ASN.1 encoding routines"].contains(where: text.contains) {
      return TrustProblem(.unreadableIntermediate).error(host: origin.host)
    }
    if text.contains("KEY_USAGE_BIT_INCORRECT") {
      return TrustProblem(.wrongKeyUsage).error(host: origin.host)
    }
    return nil
  }
}

extension ChannelHandlerContext {
  /// Closes without the close_notify alert of TLS.
  ///
  /// A peer that does not answer the alert would keep the connection's place in the pool for a second.
  func closeAtOnce() {
    let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
    (tls ?? self).close(promise: nil)
  }
}
