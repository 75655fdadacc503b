import EssentialFoundation
import MartletEssentials

/// Ends the process the way a signal would, so that a shell sees the same.
enum Signals {
  /// A run has been broken off by a signal.
  struct Interruption: Error {
    let signal: Int32
    fileprivate let time: ContinuousClock.Instant
  }

  /// What ends the process: Ctrl-C, `kill`, and the end of the terminal. Those that the process was started to ignore
  /// stay ignored, as shells have it for jobs in the background, and `nohup`.
  private static let ending = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }

  /// A signal that follows another more closely belongs to it: `timeout`, and a terminal that closes, send two.
  private static let repeatInterval = Duration.seconds(1)

  static func terminate(by signal: Int32) -> Never {
    EssentialFoundation.signal(signal, SIG_DFL)
    // A thread that Dispatch has run signal handlers on has signals blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    exit(128 + signal)
  }

  /// Runs `body`. The first signal within that would end the process calls `interrupt` instead. Further ones do
  /// nothing for a second, so that `body` can clean up; after that, one ends the process at once.
  ///
  /// - Throws: `Interruption` when `body` was cancelled after a signal; else what `body` throws.
  static func onInterrupt<Result>(
    _ interrupt: @escaping @Sendable () -> Void, during body: () async throws -> Result
  ) async throws -> Result {
    let caught = Locked<Interruption?>(nil)
    let sources = ending.map { signal in
      watch(signal) {
        let next = Interruption(signal: signal, time: .now)
        let first = caught.withLock { caught in
          defer { caught = caught ?? next }
          return caught
        }
        guard let first else { return interrupt() }
        if next.time - first.time >= repeatInterval { terminate(by: signal) }
      }
    }
    defer {
      sources.forEach { $0.cancel() }
      endAtOnce()
    }
    do {
      return try await body()
    } catch let error as MartletError where error.code == .cancelled {
      throw caught.current ?? error
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
    EssentialFoundation.signal(signal, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
    source.setEventHandler(handler: handler)
    source.resume()
    return source
  }

  /// From now on each of these signals ends the process.
  private static func endAtOnce() {
    for signal in ending { EssentialFoundation.signal(signal, SIG_DFL) }
  }

  /// Whether a signal is ignored.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // The member has another name on each system, and comes first on all.
    return withUnsafeBytes(of: action) { $0.load(as: Int.self) }
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
