import MartletCore
import NIOCore

/// The result of a read that is under way, for one reader, which asks once.
final class PendingRead: Sendable {
  private enum State {
    case reading
    case awaited(CheckedContinuation<ByteBuffer, any Error>)
    case done(Result<ByteBuffer, any Error>)
  }

  private let state = Locked(State.reading)

  func finish(_ result: Result<ByteBuffer, any Error>) {
    let reader = state.withLock { state -> CheckedContinuation<ByteBuffer, any Error>? in
      defer { state = .done(result) }
      if case .awaited(let reader) = state { return reader }
      return nil
    }
    reader?.resume(with: result)
  }

  var bytes: ByteBuffer {
    get async throws {
      try await withCheckedThrowingContinuation { reader in
        let result = state.withLock { state -> Result<ByteBuffer, any Error>? in
          switch state {
          case .done(let result): return result
          case .awaited: return .failure(MartletError.bodyReadTwice)
          case .reading:
            state = .awaited(reader)
            return nil
          }
        }
        if let result { reader.resume(with: result) }
      }
    }
  }
}
