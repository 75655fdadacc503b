import Foundation
import Testing

/// A program that this process has started.
///
/// Foundation's `Process` takes an end for one only when all programs have ended that were started at the same time.
struct ChildProcess {
  private let id: pid_t

  init(_ command: [String]) throws {
    var id = pid_t()
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    let status = Self.withPointers(command) { arguments in
      Self.withPointers(environment) { posix_spawnp(&id, command[0], nil, nil, arguments, $0) }
    }
    try #require(status == 0)
    self.id = id
  }

  private static func withPointers(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> CInt
  ) -> CInt {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
  }

  /// Waits for the end of the program, and returns whether it has succeeded.
  func succeeds() -> Bool {
    var status = CInt()
    return waitpid(id, &status, 0) == id && status == 0
  }

  /// Ends the program, with the signal that it cannot block: it has the blocked signals of the thread that started it.
  func stop() {
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }
}
