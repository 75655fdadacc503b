import Foundation

/// Whether a test has failed so far; issues may be recorded from any thread.
///
/// Unchecked because the compiler cannot see the lock: `failed` is read and written only while it is
/// held.
final class Verdict: @unchecked Sendable {
  private let lock = NSLock()
  private var failed = false

  /// Whether nothing has failed.
  var isPass: Bool { lock.withLock { !failed } }

  /// Something has.
  func fail() {
    lock.withLock { failed = true }
  }
}
