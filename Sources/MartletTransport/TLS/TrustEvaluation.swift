import EssentialFoundation
package import MartletCore
package import NIOCore
package import NIOSSL

/// The evaluation of a server's certificates in one handshake, as a separate task outside the event loop.
package final class TrustEvaluation: Sendable {
  private let evaluator: any TrustEvaluating
  private struct State {
    var task: Task<Void, Never>?
    var error: MartletError?
    var isCancelled = false
  }

  private let state = Locked(State())

  /// An evaluation that has not started.
  package init(_ evaluator: any TrustEvaluating) {
    self.evaluator = evaluator
  }

  /// The error for a server that is not trusted; `nil` when it is trusted, and before the evaluation is over.
  package var error: MartletError? { state.current.error }

  /// Starts the evaluation.
  ///
  /// - Parameters:
  ///   - certificates: The certificates that the server sent.
  ///   - host: The name or address of the URL.
  ///   - promise: Receives the verdict.
  package func run(
    on certificates: [NIOSSLCertificate], host: String,
    _ promise: EventLoopPromise<NIOSSLVerificationResult>
  ) {
    let task = promise.completeWithTask { [self] in
      do {
        let ders = try certificates.map { try $0.toDERBytes() }
        try await evaluator.evaluate(ServerTrust(certificates: ders, host: host))
        return .certificateVerified
      } catch {
        let error = error as? MartletError ?? .notTrusted(host, underlying: error)
        state.withLock { $0.error = error }
        return .failed
      }
    }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the evaluation, even if it has not started yet.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
