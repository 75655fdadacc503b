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
/// for each exchange would cost more than the rest of the exchange. Measures how busy the loop is, too, if that is needed.
/// Confined to the event loop.
final class DeadlineTicker {
  private static let period = TimeAmount.milliseconds(20)

  private let loop: any EventLoop
  // The accesses are not checked at run time: only the event loop makes them, and no member is called during one.
  @exclusivity(unchecked) private var members: [any DeadlineChecking] = []
  private var isTicking = false
  private let usage: LoopUsage?
  private var meter = ThreadUsageMeter()

  /// Creates a ticker.
  ///
  /// - Parameters:
  ///   - loop: The event loop.
  ///   - usage: Where the usage of the loop is recorded. The default is `nil`: it is not measured.
  init(loop: any EventLoop, usage: LoopUsage? = nil) {
    self.loop = loop
    self.usage = usage
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
    let now = loop.now
    measure(now)
    // Backwards, because checking a member may remove others, and the last one takes the place of one that is removed.
    for index in members.indices.reversed() where index < members.count {
      members[index].checkDeadlines(now)
    }
    if !members.isEmpty, !isTicking { schedule() }
    if members.isEmpty { rest() }
  }

  private func measure(_ now: NIODeadline) {
    guard let usage, let share = meter.share(now: now.uptimeNanoseconds) else { return }
    usage.record(share: share)
  }

  /// Without members, the loop has little to do, and is not measured.
  private func rest() {
    usage?.record(share: 0)
    meter.reset()
  }
}
