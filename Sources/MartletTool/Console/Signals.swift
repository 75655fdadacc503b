import Dispatch
import Foundation
import Martlet

/// Ends the process the way a signal would, so that a shell sees the same.
enum Signals {
  /// A run has been broken off by a signal.
  struct Interruption: Error {
    let signal: Int32
  }

  /// What ends the process: Ctrl-C, `kill`, and the end of the terminal unless `nohup` has the process ignore that.
  private static let ending = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]

  static func die(of signal: Int32) -> Never {
    Foundation.signal(signal, SIG_DFL)
    // A thread that Dispatch has run signal handlers on has signals blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    exit(128 + signal)
  }

  /// Runs `body`; the first signal within that would end the process calls `interrupt` instead, the second
  /// ends it.
  ///
  /// - Throws: `Interruption` when `body` was cancelled after a signal; else what `body` throws.
  static func onInterrupt<Result>(
    _ interrupt: @escaping @Sendable () -> Void, during body: () async throws -> Result
  ) async throws -> Result {
    let caught = Locked<Int32?>(nil)
    let sources = ending.map { signal in
      watch(signal) {
        endAtOnce()
        caught.withLock { $0 = signal }
        interrupt()
      }
    }
    defer {
      sources.forEach { $0.cancel() }
      endAtOnce()
    }
    do {
      return try await body()
    } catch let error as MartletError where error.code == .cancelled {
      throw caught.current.map(Interruption.init) ?? error
    }
  }

  /// Returns at the first signal that would end the process.
  static func untilInterrupted() async {
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    let sources = ending.map { watch($0) { end.finish() } }
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

  /// From now on each of these signals ends the process.
  private static func endAtOnce() {
    for signal in ending { Foundation.signal(signal, SIG_DFL) }
  }

  /// Whether the process was started with a signal ignored. Setting a handler is the portable way to learn the last one.
  private static func isIgnored(_ signal: Int32) -> Bool {
    let handler = Foundation.signal(signal, SIG_IGN)
    Foundation.signal(signal, handler)
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
