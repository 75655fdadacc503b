import EssentialFoundation
package import MartletCore
package import NIOCore
package import NIOSSL

/// The evaluation of a server's certificates in one handshake, as a separate task outside the event loop.
package final class TrustEvaluation: Sendable {
  private let evaluator: any TrustEvaluating
  private let tasks: HandshakeTasks
  private let failure = Locked<MartletError?>(nil)

  /// An evaluation that has not started.
  ///
  /// - Parameters:
  ///   - evaluator: Decides.
  ///   - tasks: The tasks of the handshake, with which it ends.
  package init(_ evaluator: any TrustEvaluating, in tasks: HandshakeTasks) {
    self.evaluator = evaluator
    self.tasks = tasks
  }

  /// The error for a server that is not trusted; `nil` when it is trusted, and before the evaluation is over.
  package var error: MartletError? { failure.current }

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
    tasks.run(for: promise) { [self] in
      do {
        let ders = try certificates.map { try $0.toDERBytes() }
        try await evaluator.evaluate(ServerTrust(certificates: ders, host: host))
        return .certificateVerified
      } catch {
        let error = error as? MartletError ?? .notTrusted(host, underlying: error)
        failure.withLock { $0 = error }
        return .failed
      }
    }
  }
}
