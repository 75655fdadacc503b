import MartletCore
import NIOCore
import Synchronization

/// The pool of an origin in parts, one for each event loop.
///
/// A part is made when a request goes to it for the first time.
final class OriginPools: Sendable {
  /// Makes a part.
  typealias Make = @Sendable (_ part: Int, _ pools: OriginPools) -> ConnectionPool

  let origin: Origin
  let parts: OriginParts
  /// The limit on the connections of all parts.
  let limit: ConnectionBudget
  /// The limit on the connections to all origins.
  private let budget: ConnectionBudget
  /// How often the trust evaluator had changed when the pools were made.
  let trustEpoch: Int
  let connectionObserver: ConnectionChange.Observer?
  private let slots: [Slot]
  private let make: Make

  /// A part that is made once.
  ///
  /// `AtomicLazyReference` would look up generic metadata for each request.
  private final class Slot: Sendable {
    private let reference = Atomic<Unmanaged<ConnectionPool>?>(nil)

    deinit {
      reference.load(ordering: .relaxed)?.release()
    }

    var pool: ConnectionPool? { reference.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Keeps a part, and returns the one that was kept first.
    func keep(_ pool: ConnectionPool) -> ConnectionPool {
      let kept = Unmanaged.passRetained(pool)
      let (isFirst, first) = reference.compareExchange(
        expected: nil, desired: kept, ordering: .acquiringAndReleasing)
      if isFirst { return pool }
      kept.release()
      return first?.takeUnretainedValue() ?? pool
    }
  }

  init(
    _ origin: Origin, parts: OriginParts, configuration: HTTPTransportConfiguration,
    budget: ConnectionBudget, trustEpoch: Int,
    make: @escaping Make
  ) {
    self.origin = origin
    self.parts = parts
    self.budget = budget
    self.trustEpoch = trustEpoch
    self.make = make
    limit = ConnectionBudget(total: configuration.connections.maximumPerOrigin) {
      ObjectIdentifier($0)
    }
    connectionObserver = configuration.connectionObserver?(origin)
    slots = parts.parts.map { _ in Slot() }
  }

  /// The part with a number, which is made if there is none.
  subscript(part: Int) -> ConnectionPool {
    slots[part].pool ?? slots[part].keep(make(part, self))
  }

  /// The parts that have been made.
  var made: [ConnectionPool] { slots.compactMap(\.pool) }

  /// Chooses the part that takes a request, and counts the request there.
  ///
  /// - Parameter own: The part of the caller's event loop; `nil` if the caller runs elsewhere.
  /// - Returns: The number of the part.
  func route(own: Int?) -> Int {
    guard parts.isSplit else { return 0 }
    let part = choose(own: own)
    parts.add(to: part)
    return part
  }

  func choose(own: Int?) -> Int { parts.choose(own: own, isFull: isFull) }

  /// Whether no connection may be opened now.
  var isFull: Bool { limit.isExhausted || budget.isExhausted }
}
