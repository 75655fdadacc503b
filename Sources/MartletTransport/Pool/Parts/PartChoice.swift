/// What one part of an origin's pool has to do, as seen from other event loops.
struct PartLoad: Equatable {
  /// The exchanges that are under way or wait, with those that are about to arrive.
  var exchanges = 0
  /// How many exchanges the connections carry at once.
  var places = 0
  /// Whether a connection is being made, or has been made and the peer allows no exchanges yet.
  var isConnecting = false
  /// Whether the event loop uses most of a core.
  var isBusy = false

  /// The number of places that no exchange needs. It is negative while exchanges wait.
  var free: Int { places - exchanges }
}

/// Decides which part of an origin's pool takes a request, without any I/O.
///
/// The first of these that exists:
/// 1. the part of the caller's event loop, if it has a free place, or may open an HTTP/1.1 connection;
/// 2. of the parts with a free place whose event loops are not busy, the one with the fewest exchanges;
/// 3. for HTTP/2, a part that may open a connection on an event loop that is not busy, unless one is being made;
/// 4. of the parts with a free place, the one with the fewest exchanges;
/// 5. a part that is making a connection that carries several exchanges, or whose protocol is unknown;
/// 6. if another connection is allowed, the part of the caller's event loop for HTTP/1.1, or else the one with the fewest
///    exchanges;
/// 7. the part with the fewest exchanges for each place.
///
/// Parts are looked at in a fixed order that differs between origins, until an idle one is found. At a low rate, the
/// requests of one origin therefore wake few threads.
struct PartChoice {
  /// From this number on, a connection that is being made is not expected to carry more exchanges. Servers allow at least
  /// 100 streams as a rule (RFC 9113 §6.5.2).
  static let assumedStreams = 100

  /// How many exchanges a connection carries.
  var sharing: PoolState.Sharing
  /// Whether the origin has as many connections as are allowed.
  var isFull: Bool
  /// The part of the caller's event loop; `nil` if the caller runs elsewhere.
  var own: Int?
  /// The part that is looked at first.
  var first: Int

  /// Returns the part that takes a request.
  ///
  /// - Parameters:
  ///   - count: The number of parts.
  ///   - load: Returns what a part has to do.
  /// - Returns: The number of the part.
  func part(of count: Int, load: (Int) -> PartLoad) -> Int {
    if let own, isServed(by: load(own)) { return own }
    var seen = Seen()
    for offset in 0..<count where !seen.isIdle {
      let part = (first + offset) % count
      seen.add(part, load(part), sharing)
    }
    return seen.free?.part ?? choice(seen) ?? own ?? first
  }

  private func isServed(by load: PartLoad) -> Bool {
    load.free > 0 || (sharing == .exclusive && !isFull)
  }

  /// The choice when every part with a free place is on a busy event loop, or there is none.
  private func choice(_ seen: Seen) -> Int? {
    if let busy = seen.busy {
      guard sharing == .shared, !isFull, !seen.isConnecting, let opener = seen.opener,
        !opener.load.isBusy
      else { return busy.part }
      return opener.part
    }
    if let connecting = seen.connecting { return connecting.part }
    guard isFull else { return (sharing == .exclusive ? own : nil) ?? seen.opener?.part }
    return seen.crowded?.part
  }

  /// The best parts of those that have been looked at.
  private struct Seen {
    typealias Candidate = (part: Int, load: PartLoad)

    /// With a free place, on an event loop that is not busy.
    private(set) var free: Candidate?
    /// Whether that part has no exchanges, so that there is no better one.
    var isIdle: Bool { free?.load.exchanges == 0 }
    /// With a free place, on a busy event loop.
    private(set) var busy: Candidate?
    /// About to have a connection that carries several exchanges.
    private(set) var connecting: Candidate?
    private(set) var isConnecting = false
    /// Where a connection would be opened.
    private(set) var opener: Candidate?
    /// With connections that carry as many exchanges as they can.
    private(set) var crowded: Candidate?

    mutating func add(_ part: Int, _ load: PartLoad, _ sharing: PoolState.Sharing) {
      let candidate = (part, load)
      // Before an attempt begins, the exchange that needs it is on its way.
      isConnecting = isConnecting || load.isConnecting || (load.places == 0 && load.exchanges > 0)
      if load.free > 0 {
        if load.isBusy { keep(candidate, &busy) { $0.exchanges < $1.exchanges } }
        if !load.isBusy { keep(candidate, &free) { $0.exchanges < $1.exchanges } }
        return
      }
      if isAboutToServe(load, sharing) {
        keep(candidate, &connecting) { $0.exchanges > $1.exchanges }
      }
      keep(candidate, &opener) {
        ($0.isBusy ? 1 : 0, $0.exchanges) < ($1.isBusy ? 1 : 0, $1.exchanges)
      }
      if load.places > 0 || load.isConnecting {
        // Fewer exchanges for each place, without a division by zero.
        keep(candidate, &crowded) {
          $0.exchanges * max($1.places, 1) < $1.exchanges * max($0.places, 1)
        }
      }
    }

    /// Whether a connection that is being made, or is needed for exchanges that are about to arrive, can carry another
    /// exchange.
    private func isAboutToServe(_ load: PartLoad, _ sharing: PoolState.Sharing) -> Bool {
      let isExpected = load.isConnecting || (load.places == 0 && load.exchanges > 0)
      switch sharing {
      case .exclusive: return false
      case .unknown: return isExpected
      case .shared: return isExpected && load.exchanges < PartChoice.assumedStreams
      }
    }

    private func keep(
      _ candidate: Candidate, _ best: inout Candidate?, by isBetter: (PartLoad, PartLoad) -> Bool
    ) {
      guard let current = best, !isBetter(candidate.load, current.load) else {
        return best = candidate
      }
    }
  }
}
