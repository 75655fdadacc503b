import EssentialFoundation
import MartletEssentials

/// Handles the signals that end the process. The process ends by the signal itself, so that a shell sees the same
/// status as without a handler.
enum Signals {
  /// A signal has interrupted a run.
  struct Interruption: Error {
    let signal: Int32
    fileprivate let time: ContinuousClock.Instant
  }

  /// The signals that end the process: Ctrl-C, `kill`, and the end of the terminal. Signals that are ignored when the
  /// process starts stay ignored, as `nohup` and shells with background jobs require.
  private static let ending = [SIGINT, SIGTERM, SIGHUP].filter { !has($0, SIG_IGN) }

  /// A second signal within this time belongs to the first: `timeout` sends two, and so does a terminal that closes.
  private static let repeatInterval = Duration.seconds(1)

  static func terminate(by signal: Int32) -> Never {
    EssentialFoundation.signal(signal, SIG_DFL)
    // Dispatch blocks signals on the threads that have run its signal handlers.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    exit(128 + signal)
  }

  /// Runs `body`, and calls `interrupt` at the first signal that would end the process.
  ///
  /// Further signals have no effect for one second, so that `body` can clean up. After that, a signal ends the process
  /// at once.
  ///
  /// - Throws: `Interruption` when `body` was cancelled after a signal; otherwise the error of `body`.
  static func onInterrupt<Result>(
    _ interrupt: @escaping @Sendable () -> Void, during body: () async throws -> Result
  ) async throws -> Result {
    let caught = Locked<Interruption?>(nil)
    let sources = await watch { signal in
      let next = Interruption(signal: signal, time: .now)
      let first = caught.withLock { caught in
        defer { caught = caught ?? next }
        return caught
      }
      guard let first else { return interrupt() }
      if next.time - first.time >= repeatInterval { terminate(by: signal) }
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

  /// The first signal that would end the process, which can be waited for.
  struct First: Sendable {
    fileprivate let signals: AsyncStream<Void>

    /// Returns when it has arrived.
    func wait() async {
      for await _ in signals {}
    }
  }

  /// Runs a closure, during which signals do not end the process.
  ///
  /// - Parameter body: Is passed the first signal, to wait for it.
  /// - Throws: What the closure throws.
  static func withFirst(_ body: (First) async throws -> Void) async rethrows {
    let (signals, end) = AsyncStream.makeStream(of: Void.self)
    let sources = await watch { _ in end.finish() }
    defer { sources.forEach { $0.cancel() } }
    try await body(First(signals: signals))
  }

  /// Calls a closure for each signal that would end the process, once in a process. When this returns, none has its default
  /// action any more; until then, a signal ends the process, which must have nothing to clean up yet.
  ///
  /// - Parameter handler: Called with the signal.
  /// - Returns: The sources of the signals, to be cancelled.
  private static func watch(
    _ handler: @escaping @Sendable (Int32) -> Void
  ) async -> [any DispatchSourceSignal] {
    let registrations = DispatchGroup()
    let sources = ending.map { signal in
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler { handler(signal) }
      registrations.enter()
      source.setRegistrationHandler { registrations.leave() }
      source.resume()
      return source
    }
    await withCheckedContinuation { continuation in
      registrations.notify(queue: .global()) { continuation.resume() }
    }
    // Dispatch replaces the default action on Linux only.
    for signal in ending where has(signal, SIG_DFL) {
      EssentialFoundation.signal(signal, SIG_IGN)
    }
    return sources
  }

  /// From now on each of these signals ends the process.
  private static func endAtOnce() {
    for signal in ending { EssentialFoundation.signal(signal, SIG_DFL) }
  }

  /// Whether a signal has an action.
  static func has(
    _ signal: Int32, _ handler: (@convention(c) (Int32) -> Void)?
  ) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // The name of the member differs between systems, but it is the first member on all of them.
    return withUnsafeBytes(of: action) { $0.load(as: Int.self) }
      == unsafeBitCast(handler, to: Int.self)
  }
}
