import EssentialFoundation
import MartletCore

/// Tells when the system runs short of memory.
///
///     for await _ in MemoryPressure.system.warnings { thumbnails.removeAll() }
///
/// On Linux the kernel is asked to tell when tasks have waited for memory for 150 ms within two seconds, in the whole
/// system or in the control group of this process ([PSI](https://docs.kernel.org/accounting/psi.html)); that takes
/// a kernel that counts such waits and, for a process without privileges, allows it to ask. On Apple systems, it is
/// their warning to applications.
///
/// However many ask, one thread waits; it begins with the first, and ends when the last is gone.
public final class MemoryPressure: Sendable {
  /// The system that this process runs on.
  public static let system = MemoryPressure(SystemMemory())

  private struct State {
    var next = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    var monitor: (any MemoryPressureMonitor)?
  }

  private let source: any MemoryPressureSource
  private let state = Locked(State())

  init(_ source: some MemoryPressureSource) {
    self.source = source
  }

  /// Whether the system lets itself be watched; if not, no observer is ever called.
  public var isObservable: Bool { source.isObservable }

  /// An element each time that memory runs short from now on; a slow reader gets one for many. Where the system
  /// does not tell, it ends at once.
  public var warnings: AsyncStream<Void> {
    let (stream, warnings) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard let observation = observe({ warnings.yield() }) else {
      warnings.finish()
      return stream
    }
    warnings.onTermination = { _ in observation.end() }
    return stream
  }

  /// Calls `tell` each time that memory runs short, on any thread, until what is returned is ended or dropped.
  ///
  /// - Returns: `nil` when the system does not tell.
  func observe(_ tell: @escaping @Sendable () -> Void) -> Observation? {
    state.withLock { state in
      state.monitor = state.monitor ?? source.monitor { [weak self] in self?.warn() }
      guard state.monitor != nil else { return nil }
      state.next += 1
      state.observers[state.next] = tell
      return Observation(of: self, number: state.next)
    }
  }

  private func warn() {
    for tell in state.withLock({ $0.observers }).values { tell() }
  }

  private func remove(_ number: Int) {
    // The last one gone, the monitor goes too, behind the lock.
    _ = state.withLock { state -> [Any?] in
      let observer = state.observers.removeValue(forKey: number)
      guard state.observers.isEmpty else { return [observer] }
      defer { state.monitor = nil }
      return [observer, state.monitor]
    }
  }

  /// An observer, for as long as this is kept.
  final class Observation: Sendable {
    private let pressure: MemoryPressure
    private let number: Int

    fileprivate init(of pressure: MemoryPressure, number: Int) {
      self.pressure = pressure
      self.number = number
    }

    deinit { end() }

    func end() { pressure.remove(number) }
  }
}

/// Tells that memory runs short: the system, or a test.
protocol MemoryPressureSource: Sendable {
  /// Whether it does.
  var isObservable: Bool { get }

  /// Watches until what is returned is dropped.
  ///
  /// - Parameter report: Called each time that memory runs short, on any thread.
  /// - Returns: `nil` when it does not tell.
  func monitor(_ report: @escaping @Sendable () -> Void) -> (any MemoryPressureMonitor)?
}

/// Ends when it is dropped.
protocol MemoryPressureMonitor: AnyObject, Sendable {}
