import MartletCore
import NIOCore
import NIOSSL

/// The evaluation of a server's certificates in one handshake: a task of its own, away from the event loop.
final class TrustEvaluation: Sendable {
  private let evaluator: any TrustEvaluating
  private let state = Locked<(task: Task<Void, Never>?, error: MartletError?)>((nil, nil))

  init(_ evaluator: any TrustEvaluating) {
    self.evaluator = evaluator
  }

  /// Why the server is not trusted; `nil` when it is, and before the evaluation is over.
  var error: MartletError? { state.current.error }

  /// Begins.
  ///
  /// - Parameters:
  ///   - certificates: What the server sent.
  ///   - host: The name or address of the URL.
  ///   - promise: Takes the verdict.
  func run(
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
    state.withLock { $0.task = task }
  }

  /// Ends it, if it has not ended.
  func cancel() {
    state.current.task?.cancel()
  }
}
