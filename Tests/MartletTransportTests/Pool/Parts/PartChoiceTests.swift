import Testing

@testable import MartletTransport

/// Which part of an origin's pool takes a request.
struct PartChoiceTests {
  private func choose(
    _ parts: [PartLoad], _ sharing: PoolState.Sharing = .exclusive, isFull: Bool = false,
    own: Int? = nil, first: Int = 0
  ) -> Int {
    PartChoice(sharing: sharing, isFull: isFull, own: own, first: first)
      .part(of: parts.count) { parts[$0] }
  }

  /// A part with connections for `places` exchanges, of which it has `exchanges`.
  private func part(
    _ exchanges: Int, of places: Int, isConnecting: Bool = false, isBusy: Bool = false
  ) -> PartLoad {
    PartLoad(exchanges: exchanges, places: places, isConnecting: isConnecting, isBusy: isBusy)
  }

  // MARK: The caller's own part

  @Test func `a free place on the caller's own loop comes before all others`() {
    #expect(choose([part(0, of: 9), part(3, of: 4)], own: 1) == 1)
    #expect(choose([part(0, of: 900), part(99, of: 100)], .shared, own: 1) == 1)
    #expect(choose([part(0, of: 9), part(3, of: 4, isBusy: true)], own: 1) == 1)
  }

  @Test
  func `the caller's own loop opens another HTTP/1.1 connection instead of leaving the caller`() {
    #expect(choose([part(0, of: 9), part(0, of: 0)], own: 1) == 1)
    #expect(choose([part(0, of: 9), part(4, of: 4)], own: 1) == 1)
  }

  @Test func `at the limit the caller leaves its loop for an idle connection`() {
    #expect(choose([part(1, of: 2), part(4, of: 4)], isFull: true, own: 1) == 0)
    #expect(choose([part(1, of: 2), part(0, of: 0)], isFull: true, own: 1) == 0)
  }

  @Test func `the caller leaves its loop for the only connection of HTTP/2`() {
    #expect(choose([part(50, of: 100), part(0, of: 0)], .shared, own: 1) == 0)
  }

  // MARK: Free places

  @Test func `of the parts with a free place, the one with the fewest exchanges takes the request`()
  {
    #expect(choose([part(3, of: 9), part(1, of: 2), part(2, of: 9)]) == 1)
    #expect(choose([part(1, of: 1), part(8, of: 9), part(0, of: 0)]) == 1)
  }

  @Test func `parts with equal load are taken in an order that begins with the origin's first`() {
    let parts = [part(0, of: 1), part(0, of: 1), part(0, of: 1)]
    #expect(choose(parts, first: 0) == 0)
    #expect(choose(parts, first: 2) == 2)
  }

  @Test func `of parts with equal load the first one is taken, idle or not`() {
    #expect(choose([part(1, of: 9), part(1, of: 9)]) == 0)
    #expect(choose([part(1, of: 9), part(1, of: 9)], first: 1) == 1)
    #expect(choose([part(1, of: 9, isBusy: true), part(1, of: 9, isBusy: true)]) == 0)
    #expect(choose([part(2, of: 1), part(2, of: 1)], isFull: true) == 0)
    let connecting = part(2, of: 0, isConnecting: true)
    #expect(choose([connecting, connecting], .unknown) == 0)
  }

  @Test func `after an idle part the others are not looked at`() {
    var parts = (0..<64).map { _ in part(5, of: 9) }
    parts[3] = part(0, of: 9)
    var seen: [Int] = []
    let choice = PartChoice(sharing: .exclusive, isFull: false, own: nil, first: 0)
    let chosen = choice.part(of: parts.count) { number in
      seen.append(number)
      return parts[number]
    }
    #expect(chosen == 3)
    #expect(seen == [0, 1, 2, 3])
  }

  @Test func `a part on a busy loop is taken only if no other has a free place`() {
    #expect(choose([part(0, of: 9, isBusy: true), part(8, of: 9)]) == 1)
    #expect(choose([part(0, of: 9, isBusy: true), part(9, of: 9)]) == 0)
    #expect(choose([part(3, of: 9, isBusy: true), part(2, of: 9, isBusy: true)]) == 1)
  }

  // MARK: Another connection

  @Test func `a new HTTP/1.1 connection is opened where there are the fewest exchanges`() {
    #expect(choose([part(3, of: 3), part(2, of: 2), part(4, of: 4)]) == 1)
    #expect(choose([part(3, of: 3), part(2, of: 2), part(0, of: 0)]) == 2)
    #expect(choose([part(1, of: 1, isBusy: true), part(2, of: 2)]) == 1)
    #expect(choose([part(3, of: 3, isBusy: true), part(2, of: 2, isBusy: true)]) == 1)
    #expect(choose([part(2, of: 2, isBusy: true), part(3, of: 3, isBusy: true)]) == 0)
  }

  @Test func `a second connection of HTTP/2 is opened when the loop of the first is busy`() {
    let busy = part(30, of: 100, isBusy: true)
    #expect(choose([busy, part(0, of: 0)], .shared) == 1)
    #expect(choose([busy, part(0, of: 0)], .shared, isFull: true) == 0)
    // Its requests need not wait for the second.
    #expect(choose([busy, part(1, of: 0, isConnecting: true)], .shared) == 0)
    let full = part(100, of: 100, isConnecting: true)
    #expect(choose([busy, full, part(0, of: 0)], .shared) == 0)
    // Before the attempt begins, the exchange that needs it is on its way.
    #expect(choose([busy, part(1, of: 0), part(0, of: 0)], .shared) == 0)
    // There would be no more time for it there.
    #expect(choose([busy, part(0, of: 0, isBusy: true)], .shared) == 0)
  }

  @Test func `a second connection of HTTP/2 is opened when the streams of the first are used up`() {
    #expect(choose([part(100, of: 100), part(0, of: 0)], .shared) == 1)
    #expect(choose([part(100, of: 100), part(0, of: 0)], .shared, own: 0) == 1)
  }

  @Test func `requests wait together for the first connection, if it may be HTTP/2`() {
    let first = part(1, of: 0, isConnecting: true)
    #expect(choose([part(0, of: 0), first], .unknown) == 1)
    #expect(choose([part(0, of: 0), first], .unknown, own: 0) == 1)
    #expect(choose([part(0, of: 0), part(500, of: 0, isConnecting: true)], .unknown) == 1)
    // Before the attempt begins, the exchange that needs it is on its way.
    #expect(choose([part(0, of: 0), part(1, of: 0)], .unknown) == 1)
    #expect(choose([part(0, of: 0), part(0, of: 0)], .unknown, own: 1) == 0)
    #expect(choose([part(0, of: 0), part(0, of: 0)], .unknown, own: 1, first: 1) == 1)
  }

  @Test func `a connection of HTTP/2 that is being made is not expected to carry more than 100`() {
    #expect(choose([part(0, of: 0), part(99, of: 0, isConnecting: true)], .shared) == 1)
    #expect(choose([part(0, of: 0), part(100, of: 0, isConnecting: true)], .shared) == 0)
  }

  @Test func `a server that allows no stream for now is not asked over another connection`() {
    #expect(choose([part(0, of: 0), part(2, of: 0, isConnecting: true)], .shared) == 1)
  }

  // MARK: At the limit

  @Test func `at the limit a request waits where there are the fewest for each connection`() {
    #expect(choose([part(6, of: 2), part(8, of: 4), part(9, of: 3)], isFull: true) == 1)
    #expect(choose([part(9, of: 2), part(1, of: 1)], isFull: true) == 1)
    #expect(choose([part(3, of: 1), part(2, of: 1)], isFull: true) == 1)
    #expect(choose([part(2, of: 1), part(3, of: 1)], isFull: true) == 0)
    #expect(choose([part(150, of: 100), part(0, of: 0)], .shared, isFull: true) == 0)
    #expect(choose([part(4, of: 2), part(0, of: 0)], isFull: true) == 0)
    #expect(choose([part(4, of: 2), part(0, of: 0)], isFull: true, own: 1) == 0)
    #expect(choose([part(4, of: 2), part(1, of: 0, isConnecting: true)], isFull: true) == 1)
  }

  @Test func `at the limit a request goes somewhere even if no part has a connection`() {
    #expect(choose([part(0, of: 0), part(0, of: 0)], isFull: true, first: 1) == 1)
    #expect(choose([part(0, of: 0), part(0, of: 0)], isFull: true, own: 1) == 1)
  }
}
