#if canImport(Darwin)
import Dispatch

/// Memory as Apple's kernels know it.
struct SystemMemory: MemoryPressureSource {
  var isObservable: Bool { true }

  func watch(_ report: @escaping @Sendable () -> Void) -> (any MemoryWatch)? {
    PressureSource(report)
  }
}

/// Unchecked because dispatch sources, which do not say that they are sendable, may be cancelled from any thread; this
/// one is not used for anything else.
private final class PressureSource: MemoryWatch, @unchecked Sendable {
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
