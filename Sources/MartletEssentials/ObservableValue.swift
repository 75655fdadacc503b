import EssentialFoundation
import MartletCore

/// A value, and the observers of its changes.
final class ObservableValue<Value: Hashable & Sendable>: Sendable {
  private struct State {
    var value: Value
    var next = 0
    var readers: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state: Locked<State>

  init(_ value: Value) {
    state = Locked(State(value: value))
  }

  deinit {
    for reader in state.current.readers.values { reader.finish() }
  }

  /// The current value.
  var current: Value { state.withLock { $0.value } }

  /// Sets the value, and sends it to the readers if it has changed.
  func set(_ value: Value) {
    // Under the lock, so that every reader receives the values in order. `yield` does not wait.
    state.withLock { state in
      guard state.value != value else { return }
      state.value = value
      for reader in state.readers.values { reader.yield(value) }
    }
  }

  /// The current value, then each new value, until this object is released. A slow reader receives only the newest.
  var updates: AsyncStream<Value> {
    let (updates, reader) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.next += 1
      state.readers[state.next] = reader
      reader.yield(state.value)
      return state.next
    }
    reader.onTermination = { [weak self] _ in self?.removeReader(number) }
    return updates
  }

  private func removeReader(_ number: Int) {
    // The reader is released outside the lock, because this may be the last reference to its stream.
    _ = state.withLock { $0.readers.removeValue(forKey: number) }
  }
}
