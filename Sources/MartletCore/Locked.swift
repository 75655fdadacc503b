public import Foundation

/// A value that is only ever touched by one thread at a time.
///
/// A plain pthread mutex, in one piece of memory with the value: ThreadSanitizer follows it, which it
/// does not do for the standard library's `Mutex` on Linux. Copies guard the same value. Keep the
/// closures short and never wait inside one. Public, for a step or a transport of one's own, and so that
/// other modules can inline it, which `package` does not allow.
///
/// Unchecked because the compiler cannot see the mutex: the value is read and written only between
/// `pthread_mutex_lock` and `pthread_mutex_unlock`, and `Value` itself is `Sendable`.
public struct Locked<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let guarded: Guarded<Value>

  /// A lock around `value`.
  @inlinable
  public init(_ value: Value) {
    let buffer = Guarded<Value>.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
    buffer.withUnsafeMutablePointers { mutex, element in
      pthread_mutex_init(mutex, nil)
      element.initialize(to: value)
    }
    guarded = unsafeDowncast(buffer, to: Guarded<Value>.self)
  }

  /// Runs `body` with exclusive access to the value and returns what it returns.
  @inlinable
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try guarded.withUnsafeMutablePointers { mutex, value in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }

  /// Changes the value in one step; when `change` throws, it stays as it was.
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

/// A mutex, and behind it the value: one without any bytes then shares its address with nothing.
@usableFromInline
final class Guarded<Value>: ManagedBuffer<pthread_mutex_t, Value> {
  @inlinable
  deinit {
    withUnsafeMutablePointers { mutex, value in
      pthread_mutex_destroy(mutex)
      value.deinitialize(count: 1)
    }
  }
}
