import Foundation

/// Runs `body` on a thread that no other test waits for, as it would for one of the few that tests share.
func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    thread.async { continuation.resume(with: Result(catching: body)) }
  }
}

/// One after the other: others need the processor, too.
private let thread = DispatchQueue(label: "martlet.tests.pictures")
