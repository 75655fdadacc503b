#if os(Linux)
import EssentialFoundation
import MartletEssentials

/// Memory pressure on Linux: how long tasks wait for memory.
///
/// The events of a control group (`memory.events`) are not used, because they also occur when cached files fill the
/// group, which is harmless.
struct SystemMemory: MemoryPressureSource {
  /// Tasks have waited for 150 ms within 2 s. Without privileges, only multiples of 2 s are allowed.
  static let trigger = "some 150000 2000000"

  /// The files that report pressure: in the control group of this process, and in the whole system.
  var files = [ControlGroup.current.map { "\($0)/memory.pressure" }, "/proc/pressure/memory"]
    .compactMap { $0 }

  var isObservable: Bool { !triggers().isEmpty }

  func monitor(_ report: @escaping @Sendable () -> Void) -> (any MemoryPressureMonitor)? {
    let triggers = triggers()
    guard !triggers.isEmpty, let (near, far) = Descriptor.makePair() else { return nil }
    // On a thread of its own, because it blocks.
    DispatchQueue(label: "martlet.memory").async {
      var loop = PressureTriggerLoop(triggers: triggers, end: near)
      loop.run(report)
    }
    return PressureMonitorHandle(far)
  }

  private func triggers() -> [Descriptor] {
    files.compactMap { file in
      guard let descriptor = Descriptor(open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)) else {
        return nil
      }
      // The kernel expects the terminating zero, too.
      let text = Array(Self.trigger.utf8CString)
      return write(descriptor.number, text, text.count) == text.count ? descriptor : nil
    }
  }
}

/// Shuts its end of a connection down when it is released, which ends the monitor's thread.
private final class PressureMonitorHandle: MemoryPressureMonitor {
  private let end: Descriptor

  init(_ end: Descriptor) {
    self.end = end
  }

  deinit { end.shutDown() }
}

/// Waits for several triggers, and reports each time that one fires.
struct PressureTriggerLoop: Sendable {
  var triggers: [Descriptor]
  /// Readable when the loop has to end.
  let end: Descriptor

  /// Returns when the loop is ended or no trigger is left.
  mutating func run(_ report: () -> Void) {
    while !triggers.isEmpty {
      var places = [pollfd(fd: end.number, events: Int16(POLLIN), revents: 0)]
      places += triggers.map { pollfd(fd: $0.number, events: Int16(POLLPRI), revents: 0) }
      var ready: CInt
      repeat { ready = poll(&places, nfds_t(places.count), -1) } while ready < 0 && errno == EINTR
      guard ready > 0, places[0].revents == 0 else { return }
      let answers = places.dropFirst().map { Int32($0.revents) }
      // The trigger of a control group that was removed fails each time.
      triggers = zip(triggers, answers).filter { $1 & (POLLERR | POLLNVAL) == 0 }.map { $0.0 }
      if answers.contains(where: { $0 & (POLLPRI | POLLERR) == POLLPRI }) { report() }
    }
  }
}

/// The control group (version 2) of this process.
enum ControlGroup {
  /// Its folder, if there is one.
  static let current: String? = {
    guard let groups = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8) else {
      return nil
    }
    return folder(in: groups)
  }()

  /// The folder of the group that the kernel names after `0::`.
  ///
  /// - Parameters:
  ///   - groups: The contents of `/proc/self/cgroup`.
  ///   - root: The folder where groups are mounted. The default is `/sys/fs/cgroup`.
  /// - Returns: `nil` when the kernel names no group.
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

/// Memory pressure on Apple systems.
struct SystemMemory: MemoryPressureSource {
  var isObservable: Bool { true }

  func monitor(_ report: @escaping @Sendable () -> Void) -> (any MemoryPressureMonitor)? {
    PressureSource(report)
  }
}

/// Unchecked because dispatch sources are not declared as sendable. They may be cancelled from any thread, and this one
/// is not used for anything else.
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
