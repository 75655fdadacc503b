import EssentialFoundation
import MartletCore
import NIOPosix

/// Is asked to evaluate certificates, or for one, and has no answer before it is cancelled.
struct Ponderer: TrustEvaluating {
  /// Has a value for each question: whether it was asked on an event loop.
  let isOnEventLoop = AsyncStream<Bool>.makeStream()
  let isCancelled = AsyncStream<Bool>.makeStream()
  /// How often it was asked.
  let questions = Locked(0)

  func ponder() async throws -> Never {
    questions.withLock { $0 += 1 }
    isOnEventLoop.continuation.yield(MultiThreadedEventLoopGroup.currentEventLoop != nil)
    try? await Task.sleep(for: .seconds(600))
    isCancelled.continuation.yield(Task.isCancelled)
    throw CancellationError()
  }

  func evaluate(_ trust: ServerTrust) async throws { try await ponder() }
}
