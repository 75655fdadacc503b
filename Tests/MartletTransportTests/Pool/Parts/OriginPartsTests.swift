import MartletCore
import NIOCore
import Synchronization
import Testing

@testable import MartletTransport

/// What the parts of an origin's pool know of each other.
struct OriginPartsTests {
  private func parts(_ count: Int) -> OriginParts {
    OriginParts((0..<count).map { _ in LoopUsage() }, sharing: .exclusive)
  }

  private func head(_ priority: Request.Priority, _ milliseconds: UInt64) -> WaitingHead {
    WaitingHead(priority, since: .uptimeNanoseconds(milliseconds * 1_000_000))
  }

  @Test func `one part keeps no numbers`() {
    #expect(!parts(1).isSplit)
    #expect(parts(2).isSplit)
  }

  @Test func `a part with a free place finds the exchange that comes first`() {
    let parts = parts(64)
    #expect(parts.waitingParts(besides: 0) == 0)
    parts.setHead(head(.medium, 20), of: 3)
    parts.setHead(head(.medium, 10), of: 63)
    #expect(parts.firstWaiting(of: parts.waitingParts(besides: 0)) == 63)
    #expect(parts.firstWaiting(of: parts.waitingParts(besides: 63)) == 3)
    parts.setHead(head(.high, 30), of: 5)
    #expect(parts.firstWaiting(of: parts.waitingParts(besides: 0)) == 5)
    for part in [3, 5, 63] { parts.setHead(.none, of: part) }
    #expect(parts.waitingParts(besides: 0) == 0)
    #expect(parts.firstWaiting(of: 0) == nil)
  }

  @Test func `a part in which an exchange waits finds a free place`() {
    let parts = parts(3)
    #expect(parts.freePart(besides: 0, after: 0) == nil)
    parts.parts[0].places.store(2, ordering: .sequentiallyConsistent)
    parts.parts[2].places.store(1, ordering: .sequentiallyConsistent)
    #expect(parts.freePart(besides: 0, after: 0) == 2)
    #expect(parts.freePart(besides: 2, after: 2) == 0)
    parts.add(to: 2)
    #expect(parts.freePart(besides: 0, after: 0) == nil)
    parts.remove(from: 2)
    #expect(parts.freePart(besides: 1, after: 1) == 2)
  }

  @Test
  func `an exchange of another part comes first if its priority is higher or it has waited longer`()
  {
    let own = head(.medium, 10)
    #expect(own.yields(to: head(.high, 50)))
    #expect(!own.yields(to: head(.low, 1)))
    #expect(own.yields(to: head(.medium, 8)))
    // Within a millisecond, moving an exchange is not worth it.
    #expect(!own.yields(to: head(.medium, 9)))
    #expect(!own.yields(to: .none))
    #expect(!WaitingHead.none.yields(to: head(.high, 1)))
  }

  @Test(arguments: [
    ([5, 5], 8, [4, 4]), ([16, 15, 15, 15], 8, [2, 2, 2, 2]), ([60, 1, 1, 1], 64, [60, 1, 1, 2]),
    ([9, 0, 0], 4, [4, 1, 1]), ([0, 0], 4, [1, 1]),
  ])
  func `a part has a share of the limit in proportion to its exchanges, and one at least`(
    exchanges: [Int], limit: Int, shares: [Int]
  ) {
    let parts = parts(exchanges.count)
    for (part, count) in exchanges.enumerated() { parts.add(count, to: part) }
    #expect(exchanges.indices.map { parts.share(of: limit, part: $0) } == shares)
  }

  @Test func `attempts of other parts count as long as no part has a connection`() {
    let parts = parts(2)
    #expect(parts.onlyAttemptsSince == nil)
    parts.parts[0].attemptsBegan.store(70, ordering: .relaxed)
    parts.parts[1].attemptsBegan.store(50, ordering: .relaxed)
    #expect(parts.onlyAttemptsSince == .uptimeNanoseconds(50))
    parts.parts[0].places.store(1, ordering: .relaxed)
    #expect(parts.onlyAttemptsSince == nil)
  }
}

/// Whether an event loop is busy.
struct LoopUsageTests {
  @Test func `a loop is busy from three quarters of a core on, and until it is below 60 %`() {
    let usage = LoopUsage()
    for (share, isBusy) in [(0.7, false), (0.75, true), (0.61, true), (0.59, false), (0.7, false)] {
      usage.record(share: share)
      #expect(usage.isBusy == isBusy, "after \(share)")
    }
  }

  @Test func `the share of a thread is measured between two calls`() {
    var meter = ThreadUsageMeter()
    let first = meter.share(now: 1_000)
    let second = meter.share(now: 1_000)
    #expect(first == nil && second == nil)
    var sum = 0.0
    for number in 0..<2_000_000 { sum += Double(number).squareRoot() }
    #expect(sum > 0)
    // The loop took some milliseconds of the processor, in an hour by this clock.
    let share = meter.share(now: 3_600_000_000_000) ?? 0
    #expect(share > 0 && share < 0.1)
    meter.reset()
    let afterReset = meter.share(now: 7_200_000_000_000)
    #expect(afterReset == nil)
  }
}
