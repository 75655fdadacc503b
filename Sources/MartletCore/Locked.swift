import Foundation

/// A value that is only ever touched by one thread at a time.
///
/// A plain pthread mutex: ThreadSanitizer follows it, which it does not do for the standard
/// library's `Mutex` on Linux. Keep the closures short and never wait inside one.
///
/// Unchecked because the compiler cannot see the mutex: `value` is read and written only between
/// `pthread_mutex_lock` and `pthread_mutex_unlock`, and `Value` itself is `Sendable`.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value and returns what it returns.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value in one step; when `change` throws, it stays as it was.
  package func update(_ change: (inout Value) throws -> Void) rethrows {
    try withLock { value in
      var changed = value
      try change(&changed)
      value = changed
    }
  }

  /// A copy of the value as it is now.
  package var current: Value {
    withLock { $0 }
  }
}
