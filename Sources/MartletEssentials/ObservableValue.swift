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

  /// The value as it is now.
  var current: Value { state.withLock { $0.value } }

  /// Sets the value; its readers get it unless it is the same as before.
  func set(_ value: Value) {
    // Under the lock, so that everybody hears of the values in their order; `yield` only leaves word.
    state.withLock { state in
      guard state.value != value else { return }
      state.value = value
      for reader in state.readers.values { reader.yield(value) }
    }
  }

  /// The value as it is now, and then each that it becomes, until it is gone; a slow reader gets the newest
  /// only.
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
    // It goes behind the lock, for it may be the last to hold its stream.
    _ = state.withLock { $0.readers.removeValue(forKey: number) }
  }
}
