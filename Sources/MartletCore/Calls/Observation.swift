import Synchronization

/// The observation of events by one closure, until it is cancelled.
///
/// Releasing it does not end the observation.
public final class Observation: Sendable {
  private let isEnded = Atomic(false)
  private let end: @Sendable (Observation) -> Void

  /// - Parameter end: Releases the closure. It is called once.
  package init(end: @escaping @Sendable (Observation) -> Void) {
    self.end = end
  }

  /// Whether the closure may be called.
  package var isActive: Bool { !isEnded.load(ordering: .acquiring) }

  /// Ends the observation: no call of the closure begins from now on. One that has begun on another thread may still be
  /// running.
  ///
  /// It may be called from any thread, from the closure itself, and more than once.
  public func cancel() {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    end(self)
  }
}
