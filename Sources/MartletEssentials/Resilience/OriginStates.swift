import EssentialFoundation
import MartletCore

/// A value for each server, which all requests of a session share.
final class OriginStates<State: Sendable>: Sendable {
  /// More servers than this are not remembered, so that the session of a crawler does not grow.
  private static var limit: Int { 1000 }

  private let states = Locked<[Origin: State]>([:])
  private let make: @Sendable () -> State

  /// - Parameter make: Makes the value of a server at its first request.
  init(_ make: @escaping @Sendable () -> State) {
    self.make = make
  }

  /// Changes the value of a server.
  ///
  /// - Parameters:
  ///   - origin: The server.
  ///   - change: Changes the value under a lock. It must not block.
  /// - Returns: What `change` returns.
  func update<Value>(_ origin: Origin, _ change: (inout State) -> Value) -> Value {
    states.withLock { states in
      if states.count >= Self.limit, states[origin] == nil { states.remove(at: states.startIndex) }
      return change(&states[origin, default: make()])
    }
  }
}
