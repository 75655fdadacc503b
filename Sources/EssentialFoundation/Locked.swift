public import NIOConcurrencyHelpers

/// A value protected by a lock, based on SwiftNIO's `NIOLockedValueBox`.
///
/// It uses a mutex of the system, which ThreadSanitizer supports. On Linux, ThreadSanitizer does not support the
/// standard library's `Mutex`. Copies share the same value. Keep the closures short, and never wait inside one.
///
/// It is public, because the compiler inlines a public inlinable function into other modules, but not a `package` one.
/// Applications cannot import this module: no product contains it.
public struct Locked<Value: Sendable>: Sendable {
  @usableFromInline let box: NIOLockedValueBox<Value>

  /// A lock around `value`.
  @inlinable
  public init(_ value: Value) {
    box = NIOLockedValueBox(value)
  }

  /// Runs `body` with exclusive access to the value and returns what it returns.
  @inlinable
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try box.withLockedValue(body)
  }

  /// Changes the value in one step. If `change` throws, the value stays unchanged.
  @inlinable
  public func update(_ change: (inout Value) throws -> Void) rethrows {
    try withLock { value in
      var changed = value
      try change(&changed)
      value = changed
    }
  }

  /// A copy of the current value.
  @inlinable
  public var current: Value {
    withLock { $0 }
  }
}
