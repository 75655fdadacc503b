import MartletCore
import NIOCore

/// One look-up and its waiting caller: the first answer, or the cancellation, counts.
final class Lookup: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<[SocketAddress], any Error>)
    case done(Result<[SocketAddress], any Error>)
  }

  private let state = Locked(State.new)

  /// Whether there is anything left to wait for.
  func begin(_ continuation: CheckedContinuation<[SocketAddress], any Error>) -> Bool {
    let early: Result<[SocketAddress], any Error>? = state.withLock { state in
      if case .done(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    early.map { continuation.resume(with: $0) }
    return early == nil
  }

  /// Whether a caller still waits for the answer.
  var isAwaited: Bool {
    if case .waiting = state.current { true } else { false }
  }

  func finish(_ result: Result<[SocketAddress], any Error>) {
    let waiting: CheckedContinuation<[SocketAddress], any Error>? = state.withLock { state in
      defer { if case .done = state {} else { state = .done(result) } }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}
