public import NIOConcurrencyHelpers

/// A value that one thread at a time has: SwiftNIO's lock and box, with what is read most said in one word.
///
/// It is a mutex of the system, which ThreadSanitizer follows, as it does not follow the standard library's `Mutex` on
/// Linux. Copies guard the same value. Keep the closures short, and never wait inside one.
///
/// Public, because no other code is inlined into other modules. Applications do not see it: this module is in no product.
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

  /// Changes the value in one step; when `change` throws, it stays as it was.
  @inlinable
  public func update(_ change: (inout Value) throws -> Void) rethrows {
    try withLock { value in
      var changed = value
      try change(&changed)
      value = changed
    }
  }

  /// A copy of the value as it is now.
  @inlinable
  public var current: Value {
    withLock { $0 }
  }
}
