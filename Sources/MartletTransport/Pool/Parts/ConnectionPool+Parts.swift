import MartletCore
import NIOCore
import Synchronization

/// What the parts of an origin's pool do for each other.
///
/// An exchange that waits moves to another part in one way: a part that has a free place asks for exchanges
/// (`askOtherParts`), the asked part gives them (`give`), and they arrive (`receive`). A part in which an exchange begins
/// to wait calls a part that has a free place (`callOtherParts`), which then asks.
extension ConnectionPool {
  /// Publishes the places and the first waiting exchange for the other parts, and returns permits that are no longer needed.
  func publish() {
    guard parts.isSplit else { return }
    loop.assertInEventLoop()
    releaseLimitPermits()
    let places = state.open.countedPlaces
    if places != published.places {
      published.places = places
      parts.parts[part].places.store(places, ordering: .sequentiallyConsistent)
    }
    if state.sharing == .shared { publishConnecting() }
    let head = firstWaiting
    if head != published.head {
      published.head = head
      parts.setHead(head, of: part)
    }
  }

  /// Publishes whether connections are being made.
  func publishAttempts() {
    guard parts.isSplit else { return }
    let began = attempts.isEmpty ? 0 : attemptsBegan.uptimeNanoseconds
    parts.parts[part].attemptsBegan.store(began, ordering: .relaxed)
    publishConnecting()
  }

  private func publishConnecting() {
    let isConnecting = !attempts.isEmpty || state.open.isCapacityPending
    guard isConnecting != published.isConnecting else { return }
    published.isConnecting = isConnecting
    parts.parts[part].isConnecting.store(isConnecting, ordering: .relaxed)
  }

  private var firstWaiting: WaitingHead {
    guard let exchange = state.firstWaiting.flatMap({ waiting[$0] }) else { return .none }
    return WaitingHead(exchange.priority, since: exchange.clock.waitingSince)
  }

  // MARK: A part with a free place

  /// Asks another part for exchanges if this one has free places, or if an exchange there comes before those here.
  ///
  /// - Parameter needsPlace: Whether a free place is needed in any case. The default is false.
  func askOtherParts(needsPlace: Bool = false) {
    guard parts.isSplit, !isShutDown else { return }
    let candidates = parts.waitingParts(besides: part) & ~askedParts
    guard candidates != 0, let other = parts.firstWaiting(of: candidates) else { return }
    // Exchanges that are about to arrive need places, too.
    let free = min(parts.load(of: part).free, state.open.roomCount(now: now))
    guard free > 0 || (!needsPlace && comesFirst(parts.head(of: other))), let siblings else {
      return
    }
    askedParts |= 1 << UInt64(other)
    let asked = siblings[other]
    asked.loop.execute { asked.give(max(free, 1), to: self) }
    if free > 0, candidates.nonzeroBitCount > 1 { scheduleLookAround() }
  }

  /// Whether a place that has become free is kept for an exchange of another part, because its priority is higher than those
  /// here.
  func yieldsPlace() -> Bool {
    guard parts.isSplit, state.waitingCount > 0 else { return false }
    let candidates = parts.waitingParts(besides: part) & ~askedParts
    guard candidates != 0, let other = parts.firstWaiting(of: candidates) else { return false }
    let yields = parts.head(of: other).hasHigherPriority(than: published.head)
    if yields { scheduleLookAround() }
    return yields
  }

  /// Whether an exchange of another part comes before those here, although they wait for the same connections.
  private func comesFirst(_ head: WaitingHead) -> Bool {
    published.places > 0 && published.head.yields(to: head)
  }

  /// Serves waiting exchanges on the connections that have room.
  private func serveWaiting() {
    while !isShutDown, let (exchange, id) = state.nextForAnyPlace(now: now) {
      guard let exchange = waiting.removeValue(forKey: exchange) else { continue }
      guard let connection = connections[id] else { return exchange.failAsLost() }
      use(connection, for: exchange)
    }
    endWhatIsNotNeeded()
    publish()
  }

  /// Gives waiting exchanges to another part.
  func give(_ count: Int, to other: ConnectionPool) {
    loop.assertInEventLoop()
    var given: [Exchange] = []
    while given.count < count, let exchange = state.popWaiting() {
      guard let exchange = waiting.removeValue(forKey: exchange) else { continue }
      parts.move(from: part, to: other.part)
      given.append(exchange)
    }
    move(given, to: other)
  }

  // MARK: A part in which exchanges wait

  /// Lets a part that has a free place ask for the exchanges that wait here.
  func callOtherParts() {
    guard parts.isSplit else { return }
    publish()
    guard state.waitingCount > 0, let other = parts.freePart(besides: part, after: calledPart),
      let siblings
    else { return }
    calledPart = other
    let called = siblings[other]
    called.loop.execute { called.askOtherParts() }
    scheduleLookAround()
  }

  /// Moves an exchange whose attempt to connect has failed to another part with a free place.
  ///
  /// That place would have been used at once if the caller did not run on this part's event loop.
  ///
  /// - Returns: Whether there is such a part.
  func moveToFreePart(_ exchange: Exchange) -> Bool {
    guard exchange.ownPart == part, let siblings,
      let other = parts.freePart(besides: part, after: calledPart)
    else { return false }
    parts.move(from: part, to: other)
    move([exchange], to: siblings[other])
    return true
  }

  /// Looks again for exchanges, places and permits of other parts in a millisecond: the event loop of a part that was asked
  /// or called may be held up, and a part that had a claim to a permit may not need it.
  func scheduleLookAround() {
    guard parts.isSplit, !willLookAround else { return }
    willLookAround = true
    loop.assumeIsolated().scheduleTask(in: WaitingHead.tolerance) {
      self.willLookAround = false
      self.serveWaiting()
      self.askOtherParts(needsPlace: true)
      self.callOtherParts()
      self.openWithinShare()
    }
  }

  /// Chooses a part once more for exchanges that need another connection, when it becomes known how many exchanges a
  /// connection carries, or this part's connection carries as many as it can.
  ///
  /// Until the first connection has been made, all exchanges wait in one part.
  func spreadWaiting() {
    guard parts.isSplit, state.waitingCount > 0, let siblings else { return }
    publish()
    var moving: [Int: [Exchange]] = [:]
    var staying: [(ExchangeID, Request.Priority)] = []
    while !siblings.isFull, let id = state.popWaiting(), let exchange = waiting[id] {
      let choice = siblings.choose(own: exchange.ownPart)
      if choice == part {
        staying.append((id, exchange.priority))
      } else {
        waiting[id] = nil
        // Counted there at once, so that the next choice is another one.
        parts.move(from: part, to: choice)
        moving[choice, default: []].append(exchange)
      }
    }
    state.putBack(staying)
    for (choice, exchanges) in moving { move(exchanges, to: siblings[choice]) }
  }

  // MARK: The limit

  /// Handles the end of an exchange that had no connection: its place or its share of the limit may be free for others.
  func partWasLeft() {
    askOtherParts()
    offerShare()
  }

  /// Opens connections that this part was refused because its share of the limit was smaller.
  func openWithinShare() {
    guard let limit, !limit.isExhausted, state.waitingCount > 0 else { return }
    openWhatIsNeeded()
  }

  /// Lets the parts in which exchanges wait open connections, when a permit or a share of this part has become free.
  func offerShare() {
    guard let limit, !limit.isExhausted, let siblings else { return }
    var others = parts.waitingParts(besides: part)
    while others != 0 {
      let other = siblings[others.trailingZeroBitCount]
      others &= others - 1
      other.loop.execute { other.openWithinShare() }
    }
  }

  // MARK: Moving

  /// Moves exchanges that wait no longer here, and are counted there, to another part. That learns also if there are none.
  private func move(_ exchanges: [Exchange], to other: ConnectionPool) {
    for exchange in exchanges {
      ticker.remove(exchange)
      exchange.move(to: other)
    }
    other.loop.execute { other.receive(exchanges, from: self.part) }
    publish()
    removeFromDirectoryIfEmpty()
  }

  /// Takes the exchanges that another part has given.
  private func receive(_ exchanges: [Exchange], from other: Int) {
    loop.assertInEventLoop()
    askedParts &= ~(1 << UInt64(other))
    // The last one first, because each goes before the others that wait.
    for exchange in exchanges.reversed() where exchange.part.load(ordering: .acquiring) == part {
      exchange.arrive()
    }
    serveWaiting()
    askOtherParts()
  }
}
