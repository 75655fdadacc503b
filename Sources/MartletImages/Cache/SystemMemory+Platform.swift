#if os(Linux)
import EssentialFoundation
import MartletEssentials

/// Memory as Linux knows it: how long tasks wait for it.
///
/// The events of a control group (`memory.events`) are left alone, for they count as well each time that cached files
/// fill it, which does no harm.
struct SystemMemory: MemoryPressureSource {
  /// Tasks have waited for 150 ms within 2 s. Without privileges, only multiples of 2 s are allowed.
  static let trigger = "some 150000 2000000"

  /// Files that tell of pressure: of the control group of this process, and of the whole system.
  var files = [ControlGroup.current.map { "\($0)/memory.pressure" }, "/proc/pressure/memory"]
    .compactMap { $0 }

  var isObservable: Bool { !triggers().isEmpty }

  func monitor(_ report: @escaping @Sendable () -> Void) -> (any MemoryPressureMonitor)? {
    let triggers = triggers()
    guard !triggers.isEmpty, let (near, far) = Descriptor.makePair() else { return nil }
    // A thread of its own, for it waits.
    DispatchQueue(label: "martlet.memory").async {
      var monitor = PressureTriggerMonitor(triggers: triggers, end: near)
      monitor.run(report)
    }
    return HangUp(far)
  }

  private func triggers() -> [Descriptor] {
    files.compactMap { file in
      guard let descriptor = Descriptor(open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)) else {
        return nil
      }
      // The kernel wants the zero at the end, too.
      let text = Array(Self.trigger.utf8CString)
      return write(descriptor.number, text, text.count) == text.count ? descriptor : nil
    }
  }
}

/// Hangs up when it is dropped.
private final class HangUp: MemoryPressureMonitor {
  private let end: Descriptor

  init(_ end: Descriptor) {
    self.end = end
  }

  deinit { end.shutDown() }
}

/// Waits until one of several triggers is pulled.
struct PressureTriggerMonitor: Sendable {
  var triggers: [Descriptor]
  /// Closed to end the thread.
  let end: Descriptor

  /// Returns when nothing can come any more.
  mutating func run(_ report: () -> Void) {
    while !triggers.isEmpty {
      var places = [pollfd(fd: end.number, events: Int16(POLLIN), revents: 0)]
      places += triggers.map { pollfd(fd: $0.number, events: Int16(POLLPRI), revents: 0) }
      var ready: CInt
      repeat { ready = poll(&places, nfds_t(places.count), -1) } while ready < 0 && errno == EINTR
      guard ready > 0, places[0].revents == 0 else { return }
      let answers = places.dropFirst().map { Int32($0.revents) }
      // A control group that is gone fails for ever.
      triggers = zip(triggers, answers).filter { $1 & (POLLERR | POLLNVAL) == 0 }.map { $0.0 }
      if answers.contains(where: { $0 & (POLLPRI | POLLERR) == POLLPRI }) { report() }
    }
  }
}

/// The control group, version 2, that this process is in.
enum ControlGroup {
  /// The folder that tells of it, if there is one.
  static let current: String? = {
    guard let groups = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8) else {
      return nil
    }
    return folder(in: groups)
  }()

  /// The folder of the group that the kernel names behind `0::`.
  ///
  /// - Parameters:
  ///   - groups: What `/proc/self/cgroup` says.
  ///   - root: Where groups are mounted. The default is `/sys/fs/cgroup`.
  /// - Returns: `nil` when the kernel names none.
  static func folder(in groups: String, root: String = "/sys/fs/cgroup") -> String? {
    let line = groups.split(separator: "\n").first { $0.hasPrefix("0::/") }
    return line.map { line in
      let path = line.dropFirst(4)
      return path.isEmpty ? root : "\(root)/\(path)"
    }
  }
}
#endif

#if canImport(Darwin)
import Dispatch

/// Memory as Apple's kernels know it.
struct SystemMemory: MemoryPressureSource {
  var isObservable: Bool { true }

  func monitor(_ report: @escaping @Sendable () -> Void) -> (any MemoryPressureMonitor)? {
    PressureSource(report)
  }
}

/// Unchecked because dispatch sources, which do not say that they are sendable, may be cancelled from any thread; this
/// one is not used for anything else.
private final class PressureSource: MemoryPressureMonitor, @unchecked Sendable {
  private let source: any DispatchSourceMemoryPressure

  init(_ report: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeMemoryPressureSource(
      eventMask: [.warning, .critical], queue: .global(qos: .utility))
    source.setEventHandler(handler: report)
    source.activate()
  }

  deinit { source.cancel() }
}
#endif
