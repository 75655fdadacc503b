import EssentialFoundation
import MartletCore

/// A value for each server, which all requests of a session share.
final class OriginStates<State: Sendable>: Sendable {
  private struct Entry {
    var state: State
    var lastUse: UInt64 = 0
  }

  private struct Entries {
    var byOrigin: [Origin: Entry] = [:]
    var uses: UInt64 = 0
  }

  /// Of more servers than this, the one that was used longest ago is forgotten, so that the session of a crawler does not
  /// grow.
  private static var limit: Int { 1000 }

  private let entries = Locked(Entries())
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
    entries.withLock { entries in
      if entries.byOrigin.count >= Self.limit, entries.byOrigin[origin] == nil {
        let oldest = entries.byOrigin.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { entries.byOrigin[oldest.key] = nil }
      }
      entries.uses += 1
      entries.byOrigin[origin, default: Entry(state: make())].lastUse = entries.uses
      return change(&entries.byOrigin[origin, default: Entry(state: make())].state)
    }
  }
}
