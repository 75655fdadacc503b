import EssentialFoundation
import MartletCore
import NIOCore

/// Makes a readable body from a closure that writes it.
///
/// The closure starts with the first read and is never more than one chunk ahead of the reader. When the body is
/// abandoned, the next write throws an error.
final class ProducedBody: ResponseBodySource {
  typealias Writer = @Sendable (ByteBuffer) async throws -> Void
  typealias Producer = @Sendable (_ write: Writer) async throws -> Void

  private struct State: Sendable {
    var producer: Producer?
    var task: Task<Void, Never>?
    var chunk: ByteBuffer?
    var isAbandoned = false
    var end: Result<Void, any Error>?
  }

  private let state: AwaitableValue<State>
  private let atEnd: @Sendable () -> ResponseBody.Completion?

  init(
    completion: @escaping @Sendable () -> ResponseBody.Completion? = { nil },
    _ producer: @escaping Producer
  ) {
    state = AwaitableValue(State(producer: producer))
    atEnd = completion
  }

  var completion: ResponseBody.Completion? {
    state.current.end == nil ? nil : atEnd()
  }

  func next() async throws -> ByteBuffer? {
    start()
    while true {
      do {
        try await state.waitWithoutLimit { $0.chunk != nil || $0.end != nil }
      } catch {
        abandon()
        throw MartletError.cancelled
      }
      let (chunk, end) = state.update { state in
        defer { state.chunk = nil }
        return (state.chunk, state.end)
      }
      if let chunk { return chunk }
      // Another reader may have taken the chunk.
      if let end { return try end.map { nil }.get() }
    }
  }

  func abandon() {
    state.update { state in
      state.isAbandoned = true
      if state.end == nil { state.end = .failure(MartletError.cancelled) }
      return state.task
    }?.cancel()
  }

  /// The task retains the state and not this object, so that releasing the body ends the task.
  private func start() {
    let state = state
    state.update { current in
      guard let producer = current.producer else { return }
      current.producer = nil
      current.task = Task {
        let mutex = AsyncMutex()
        let end = await Result {
          try await producer { chunk in
            try await mutex.withLock { try await Self.hand(chunk, to: state) }
          }
        }
        state.update { $0.end = end }
      }
    }
  }

  private static func hand(_ chunk: ByteBuffer, to state: AwaitableValue<State>) async throws {
    guard chunk.readableBytes > 0 else { return }
    try await state.waitWithoutLimit { $0.chunk == nil || $0.isAbandoned }
    try state.update { state in
      guard !state.isAbandoned else { return Result<Void, any Error>.failure(CancellationError()) }
      state.chunk = chunk
      return .success(())
    }.get()
  }
}
