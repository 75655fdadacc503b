import Dispatch
import Foundation

/// Ends the process the way a signal would, so that a shell sees the same.
enum Signals {
  static func die(of signal: Int32) -> Never {
    Foundation.signal(signal, SIG_DFL)
    raise(signal)
    exit(128 + signal)
  }

  /// Runs `body`; the first Ctrl-C within calls `interrupt` instead of ending the process, the second
  /// ends it.
  static func onInterrupt<Result>(
    _ interrupt: @escaping @Sendable () -> Void, during body: () async throws -> Result
  ) async rethrows -> Result {
    let source = watch(SIGINT) {
      Foundation.signal(SIGINT, SIG_DFL)
      interrupt()
    }
    defer {
      source.cancel()
      Foundation.signal(SIGINT, SIG_DFL)
    }
    return try await body()
  }

  /// Returns at the first Ctrl-C, or when the process is asked to end.
  static func untilInterrupted() async {
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { watch($0) { end.finish() } }
    for await _ in stream {}
    sources.forEach { $0.cancel() }
  }

  private static func watch(
    _ signal: Int32, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    Foundation.signal(signal, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
    source.setEventHandler(handler: handler)
    source.resume()
    return source
  }
}
