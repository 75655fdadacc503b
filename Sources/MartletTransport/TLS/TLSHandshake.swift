import MartletCore
import NIOCore
import NIOSSL

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
    let tasks = HandshakeTasks(countedIn: executor.outsideWork)
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
      try Task.checkCancellation()
      throw evaluation.error ?? identityResolver.clientCertificateError(
        after: error, origin: origin, isFresh: false)
        ?? HandshakeFailure.error(error, origin: origin)
    }
  }

  /// The context for one connection. If the provider has to be asked, it is one of its own, whose callback pauses this
  /// connection. It reads no file, so that it can be made on the event loop.
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

extension ChannelHandlerContext {
  /// Closes without the close_notify alert of TLS.
  ///
  /// A peer that does not answer the alert would keep the connection's place in the pool for a second.
  func closeAtOnce() {
    let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
    (tls ?? self).close(promise: nil)
  }
}
