import NIOCore

/// An object whose deadlines a `DeadlineTicker` checks.
protocol DeadlineChecking: AnyObject {
  /// The object's index in the ticker. Only the ticker changes it.
  var tickerSlot: Int? { get set }
  /// Acts on every deadline that has passed.
  func checkDeadlines(_ now: NIODeadline)
}

/// Checks the deadlines of exchanges and connections on one event loop, every 20 ms.
///
/// One timer serves all members. To add or remove a member costs a few instructions and no allocation. A scheduled task
/// for each exchange would cost more than the rest of the exchange. Confined to the event loop.
final class DeadlineTicker {
  private static let period = TimeAmount.milliseconds(20)

  private let loop: any EventLoop
  // The accesses are not checked at run time: only the event loop makes them, and no member is called during one.
  @exclusivity(unchecked) private var members: [any DeadlineChecking] = []
  private var isTicking = false

  init(loop: any EventLoop) {
    self.loop = loop
  }

  func add(_ member: any DeadlineChecking) {
    loop.assertInEventLoop()
    guard member.tickerSlot == nil else { return }
    member.tickerSlot = members.count
    members.append(member)
    if !isTicking { schedule() }
  }

  func remove(_ member: any DeadlineChecking) {
    loop.assertInEventLoop()
    guard let slot = member.tickerSlot else { return }
    member.tickerSlot = nil
    let last = members.removeLast()
    guard last !== member else { return }
    members[slot] = last
    last.tickerSlot = slot
  }

  private func schedule() {
    isTicking = true
    loop.assumeIsolated().scheduleTask(in: Self.period) { self.tick() }
  }

  private func tick() {
    isTicking = false
    let now = NIODeadline.now()
    // Iterates over a copy, because members are removed during the loop.
    for member in members { member.checkDeadlines(now) }
    if !members.isEmpty, !isTicking { schedule() }
  }
}
