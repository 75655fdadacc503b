import EssentialFoundation
import MartletCore

/// Reports when the system runs short of memory.
///
///     for await _ in MemoryPressure.system.warnings { thumbnails.removeAll() }
///
/// On Linux, the kernel reports when tasks have waited for memory for 150 ms within two seconds, in the whole system or
/// in the control group of this process ([PSI](https://docs.kernel.org/accounting/psi.html)). The kernel must record
/// these waits, and must permit a process without privileges to watch them. On Apple systems, the system's memory
/// warnings are used.
///
/// On Linux, one thread waits for all observers. It starts with the first observer and ends with the last.
public final class MemoryPressure: Sendable {
  /// The memory pressure of the system that this process runs on.
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

  /// Whether the system reports memory pressure to this process; if not, no observer is called.
  public var isObservable: Bool { source.isObservable }

  /// A stream with one element for each time that memory runs short from now on.
  ///
  /// A slow reader receives one element for several times. If the system does not report memory pressure, the stream
  /// ends at once.
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

  /// Calls `handler` on any thread each time that memory runs short, until the observation is ended or released.
  ///
  /// - Returns: `nil` when the system does not report memory pressure.
  func observe(_ handler: @escaping @Sendable () -> Void) -> Observation? {
    state.withLock { state in
      state.monitor = state.monitor ?? source.monitor { [weak self] in self?.warn() }
      guard state.monitor != nil else { return nil }
      state.next += 1
      state.observers[state.next] = handler
      return Observation(of: self, number: state.next)
    }
  }

  private func warn() {
    for handler in state.withLock({ $0.observers }).values { handler() }
  }

  private func remove(_ number: Int) {
    // The monitor ends with the last observer. Both are released outside of the lock.
    _ = state.withLock { state -> [Any?] in
      let observer = state.observers.removeValue(forKey: number)
      guard state.observers.isEmpty else { return [observer] }
      defer { state.monitor = nil }
      return [observer, state.monitor]
    }
  }

  /// Keeps an observer registered until this object is released.
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

/// A source of memory warnings: the system, or a test.
protocol MemoryPressureSource: Sendable {
  /// Whether it reports memory pressure.
  var isObservable: Bool { get }

  /// Watches until the returned monitor is released.
  ///
  /// - Parameter report: Called each time that memory runs short, on any thread.
  /// - Returns: `nil` when it does not report memory pressure.
  func monitor(_ report: @escaping @Sendable () -> Void) -> (any MemoryPressureMonitor)?
}

/// A monitor of memory pressure, which ends when it is released.
protocol MemoryPressureMonitor: AnyObject, Sendable {}
