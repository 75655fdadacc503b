import NIOCore
import Testing

@testable import MartletTransport

/// Flow control, stream numbers and liveness, without a network (RFC 9113 §5.1.1, §6.7, §6.9).
struct WindowTests {
  // MARK: Sending

  @Test func `a stream sends what its own window and the connection's allow`() throws {
    var windows = SendWindows()
    windows.open(1)
    windows.open(3)
    #expect(windows.allowance(of: 1) == 65_535)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1) == 5_535)
    #expect(windows.allowance(of: 3) == 5_535)
    try windows.growConnection(by: 100_000)
    #expect(windows.allowance(of: 1) == 5_535)
    #expect(windows.allowance(of: 3) == 65_535)
    try windows.grow(1, by: 10)
    #expect(windows.allowance(of: 1) == 5_545)
  }

  @Test func `a lower setting may take a stream's window below zero, and updates bring it back`()
    throws
  {
    var windows = SendWindows()
    windows.open(1)
    windows.sent(60_000, on: 1)
    try windows.initialChanged(to: 50_000)
    #expect(windows.allowance(of: 1) == 0)
    try windows.grow(1, by: 20_000)
    #expect(windows.allowance(of: 1) == 5_535)
    try windows.growConnection(by: 20_000)
    #expect(windows.allowance(of: 1) == 10_000)
    windows.open(3)
    try windows.growConnection(by: 100_000)
    #expect(windows.allowance(of: 3) == 50_000)
  }

  @Test func `a stream that is closed sends nothing`() throws {
    var windows = SendWindows()
    windows.open(1)
    windows.close(1)
    try windows.grow(1, by: 10)
    #expect(windows.allowance(of: 1) == 0)
  }

  /// Each row: the stream's first window, what is sent at once, how its window grows, what there is to send, and what may
  /// leave (RFC 9293 §3.8.6.2.1).
  @Test(
    arguments: [
      (65_535, 65_535, 594, 594, 594), (65_535, 65_535, 594, 595, 0),
      (65_535, 65_535, 16_383, 100_000, 0), (65_535, 65_535, 16_384, 100_000, 16_384),
      (65_535, 49_152, 0, 100_000, 0), (65_535, 49_151, 0, 100_000, 16_384),
      (1_000, 1_000, 499, 100_000, 0), (1_000, 1_000, 500, 100_000, 500),
      (1, 0, 0, 100_000, 1), (0, 0, 10, 100_000, 10),
    ])
  func `what does not fit waits for a frame's worth, or half of what the peer has offered`(
    _ initial: Int, _ sent: Int, _ growth: Int, _ count: Int, _ allowed: Int
  ) throws {
    var windows = SendWindows()
    try windows.growConnection(by: 1_000_000)
    try windows.initialChanged(to: initial)
    windows.open(1)
    windows.sent(sent, on: 1)
    if growth > 0 { try windows.grow(1, by: growth) }
    #expect(windows.allowance(of: 1, for: count) == allowed)
  }

  @Test func `the connection's window counts as the stream's does`() throws {
    var windows = SendWindows()
    try windows.initialChanged(to: 1_000_000)
    windows.open(1)
    windows.sent(65_535, on: 1)
    try windows.growConnection(by: 16_383)
    #expect(windows.allowance(of: 1, for: 20_000) == 0)
    try windows.growConnection(by: 1)
    #expect(windows.allowance(of: 1, for: 20_000) == 16_384)
  }

  @Test func `a peer that offers no more than a little is sent as much, until it offers more`()
    throws
  {
    var windows = SendWindows()
    try windows.growConnection(by: 1_000_000)
    windows.open(1)
    windows.sent(65_535, on: 1)
    try windows.grow(1, by: 4_000)
    #expect(windows.allowance(of: 1, for: 100_000) == 0)
    windows.useSmallWindow(of: 1)
    #expect(windows.allowance(of: 1, for: 100_000) == 4_000)
    windows.sent(4_000, on: 1)
    try windows.grow(1, by: 2_000)
    #expect(windows.allowance(of: 1, for: 100_000) == 2_000)
    try windows.grow(1, by: 60_000)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1, for: 100_000) == 0)
  }

  @Test func `a peer that enlarges its windows when all is used is not waited for any more`() throws
  {
    var windows = SendWindows()
    try windows.growConnection(by: 10_000_000)
    windows.open(1)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 0)
    windows.useSmallWindow(of: 1)
    windows.sent(5_535, on: 1)
    try windows.grow(1, by: 65_535)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 5_535)
  }

  @Test func `a peer that enlarges them by little is waited for all the same`() throws {
    var windows = SendWindows()
    try windows.growConnection(by: 10_000_000)
    windows.open(1)
    windows.sent(65_000, on: 1)
    windows.useSmallWindow(of: 1)
    windows.sent(535, on: 1)
    for _ in 1...100 { try windows.grow(1, by: 600) }
    windows.sent(59_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 0)
  }

  /// A peer that has used its window up without a pause may enlarge it by a frame at a time.
  @Test func `a peer is waited for as long as nothing shows that it needs a small window used`()
    throws
  {
    var windows = SendWindows()
    try windows.growConnection(by: 10_000_000)
    windows.open(1)
    windows.sent(65_535, on: 1)
    try windows.grow(1, by: 65_535)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 0)
    // One byte of the small window is left when the peer enlarges it.
    windows.useSmallWindow(of: 1)
    windows.sent(5_534, on: 1)
    try windows.grow(1, by: 65_535)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 0)
    // The small window was used, and enlarged by little: what follows is another window.
    windows.useSmallWindow(of: 1)
    windows.sent(5_536, on: 1)
    try windows.grow(1, by: 600)
    windows.sent(600, on: 1)
    try windows.grow(1, by: 65_535)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 0)
  }

  @Test func `a peer that enlarges a used window by one frame is not waited for any more`() throws {
    var windows = SendWindows()
    try windows.growConnection(by: 10_000_000)
    windows.open(1)
    windows.sent(60_000, on: 1)
    windows.useSmallWindow(of: 1)
    windows.sent(5_535, on: 1)
    try windows.grow(1, by: 16_384)
    windows.sent(16_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 384)
  }

  @Test func `a peer that enlarges the connection's window when all is used is not waited for`()
    throws
  {
    var windows = SendWindows()
    try windows.initialChanged(to: 1_000_000)
    windows.open(1)
    windows.sent(60_000, on: 1)
    windows.useSmallWindow(of: 1)
    windows.sent(5_535, on: 1)
    try windows.growConnection(by: 65_535)
    windows.sent(60_000, on: 1)
    #expect(windows.allowance(of: 1, for: 60_000) == 5_535)
  }

  @Test func `half of the little that a connection offers may leave`() throws {
    var windows = SendWindows()
    try windows.initialChanged(to: 1_000_000)
    windows.open(1)
    windows.sent(61_535, on: 1)
    windows.useSmallWindow(of: 1)
    windows.sent(4_000, on: 1)
    try windows.growConnection(by: 1_999)
    #expect(windows.allowance(of: 1, for: 100_000) == 0)
    try windows.growConnection(by: 1)
    #expect(windows.allowance(of: 1, for: 100_000) == 2_000)
  }

  @Test func `a window that allows nothing is no small window`() throws {
    var windows = SendWindows()
    try windows.growConnection(by: 1_000_000)
    windows.open(1)
    windows.sent(65_535, on: 1)
    windows.useSmallWindow(of: 1)
    try windows.grow(1, by: 4_000)
    #expect(windows.allowance(of: 1, for: 100_000) == 0)
  }

  @Test func `a setting leaves what a peer has offered beyond it`() throws {
    // The same setting again.
    var windows = SendWindows()
    try windows.growConnection(by: 1_000_000)
    try windows.initialChanged(to: 1_000)
    windows.open(1)
    try windows.grow(1, by: 9_000)
    windows.sent(6_000, on: 1)
    try windows.initialChanged(to: 1_000)
    #expect(windows.allowance(of: 1, for: 100_000) == 0)
    // A smaller one, which leaves a larger window.
    windows = SendWindows()
    try windows.growConnection(by: 1_000_000)
    try windows.initialChanged(to: 2_000)
    windows.open(1)
    try windows.grow(1, by: 8_000)
    try windows.initialChanged(to: 1_000)
    windows.sent(5_000, on: 1)
    #expect(windows.allowance(of: 1, for: 100_000) == 0)
  }

  @Test func `a smaller setting is what the peer offers at its most`() throws {
    var windows = SendWindows()
    try windows.growConnection(by: 1_000_000)
    windows.open(1)
    try windows.initialChanged(to: 1_000)
    #expect(windows.allowance(of: 1, for: 100_000) == 1_000)
    windows.sent(1_000, on: 1)
    try windows.grow(1, by: 500)
    #expect(windows.allowance(of: 1, for: 100_000) == 500)
  }

  @Test func `a window that grows by nothing, or beyond its limit, is a fault of the peer`() throws
  {
    var windows = SendWindows()
    windows.open(1)
    #expect(throws: HTTP2Fault.self) { try windows.grow(1, by: 0) }
    #expect(throws: HTTP2Fault.self) { try windows.growConnection(by: 0) }
    let most = ReceiveWindow.limit - 65_535
    try windows.grow(1, by: most)
    try windows.growConnection(by: most)
    var code: HTTP2ErrorCode? {
      (#expect(throws: HTTP2Fault.self) { try windows.grow(1, by: 1) })?.code
    }
    #expect(code == .flowControlError)
    #expect(throws: HTTP2Fault.self) { try windows.growConnection(by: 1) }
    // §6.9.2 — a setting enlarges the windows of the streams under way.
    #expect(throws: HTTP2Fault.self) { try windows.initialChanged(to: 65_536) }
  }

  // MARK: Receiving

  @Test func `a window is filled again when half of it is used up`() {
    var window = ReceiveWindow(smallest: 100, largest: 100)
    same(window.received(49), 0)
    same(window.received(1), 50)
    same(window.received(50), 50)
  }

  @Test func `a window doubles while its bytes are taken, up to the largest`() {
    var window = ReceiveWindow(smallest: 100, largest: 300)
    same(window.received(50), 50)
    same(window.received(50), 150)
    same(window.received(150), 150)
    same(window.received(50), 150)
    same(window.received(149), 0)
    same(window.received(1), 150)
  }

  @Test func `a window doubles each time when all of it has been taken, and not before`() {
    var window = ReceiveWindow(smallest: 100, largest: 400)
    same(window.received(99), 99)
    same(window.received(1), 101)
    same(window.received(199), 199)
    same(window.received(1), 201)
  }

  @Test func `after a pause the window is filled when half of it is used, and grows as before`() {
    var window = ReceiveWindow(smallest: 100, largest: 400)
    window.pause()
    same(window.received(49), 0)
    same(window.resume(), 0)
    window.pause()
    same(window.received(1), 0)
    same(window.resume(), 50)
    same(window.received(99), 99)
    same(window.received(1), 101)
  }

  @Test func `nothing is credited during a pause, so at most one window arrives`() {
    var window = ReceiveWindow(smallest: 100, largest: 400)
    window.pause()
    same(window.received(60), 0)
    same(window.received(40), 0)
    #expect(window.unread == 100)
    same(window.resume(), 100)
    #expect(window.unread == 0)
  }

  @Test func `after a pause the window is small again`() {
    var window = ReceiveWindow(smallest: 100, largest: 400)
    _ = window.received(50)
    _ = window.received(50)
    window.pause()
    same(window.received(200), 0)
    same(window.resume(), 100)
  }

  @Test func `a stream's window is overrun by more than was allowed`() {
    var window = ReceiveWindow(smallest: 100_000, largest: 100_000)
    window.pause()
    _ = window.received(100_000)
    #expect(!window.isOverrun)
    _ = window.received(1)
    #expect(window.isOverrun)
  }

  @Test func `a connection's window begins with its whole budget`() throws {
    var budget = ReceiveBudget(1_000_000, reserve: 100_000)
    same(budget.begin(), 1_000_000 - 65_535)
    try budget.received(400_000)
    same(budget.refill(), 0)
    try budget.received(100_000)
    same(budget.refill(), 500_000)
    same(budget.refill(), 0)
  }

  @Test func `a connection's window is overrun by more than was allowed`() throws {
    var budget = ReceiveBudget(1_000_000, reserve: 100_000)
    _ = budget.begin()
    try budget.received(1_000_000)
    let fault = #expect(throws: HTTP2Fault.self) { try budget.received(1) }
    #expect(fault?.code == .flowControlError)
  }

  @Test func `unread bytes are kept back from the connection's window`() throws {
    var budget = ReceiveBudget(1_000_000, reserve: 100_000)
    _ = budget.begin()
    budget.unreadChanged(by: 600_000)
    same(budget.refill(), 0)
    try budget.received(850_000)
    same(budget.refill(), 250_000)
    budget.unreadChanged(by: -600_000)
    same(budget.refill(), 600_000)
  }

  @Test func `a window never exceeds what the budget leaves, or the reserve`() throws {
    var budget = ReceiveBudget(1_000_000, reserve: 100_000)
    var left = 65_535 + budget.begin()
    var unread = 0
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let count = Int.random(in: 0...left, using: &random)
      left -= count
      unread += count
      budget.unreadChanged(by: count)
      try budget.received(count)
      left += budget.refill()
      #expect(left <= max(1_000_000 - unread, 100_000))
      let read = Int.random(in: 0...unread, using: &random)
      unread -= read
      budget.unreadChanged(by: -read)
      left += budget.refill()
      #expect(left <= max(1_000_000 - unread, 100_000))
    }
  }

  @Test func `however much is unread, a stream can go on`() throws {
    var budget = ReceiveBudget(1_000_000, reserve: 100_000)
    _ = budget.begin()
    budget.unreadChanged(by: 1_000_000)
    try budget.received(1_000_000)
    same(budget.refill(), 100_000)
  }

  // MARK: Numbers

  @Test func `streams have odd numbers that grow`() {
    var numbers = StreamNumbers()
    same(numbers.take(), 1)
    same(numbers.take(), 3)
    same(numbers.take(), 5)
  }

  @Test(arguments: [(1, true), (3, true), (5, false), (2, false), (0, false), (-1, false)])
  func `the numbers that were taken are known`(_ number: Int32, _ isTaken: Bool) {
    var numbers = StreamNumbers()
    same(numbers.take(), 1)
    same(numbers.take(), 3)
    #expect(numbers.haveTaken(number) == isTaken)
  }

  @Test func `a connection runs out of numbers before they overflow`() {
    var numbers = StreamNumbers(first: StreamNumbers.last - 2)
    same(numbers.take(), StreamNumbers.last - 2)
    #expect(!numbers.isExhausted)
    same(numbers.take(), StreamNumbers.last)
    #expect(numbers.isExhausted)
    same(numbers.take(), nil)
  }

  // MARK: Liveness

  private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

  @Test func `a silent peer that owes an answer is asked, and given up when it does not answer`() {
    var liveness = liveness()
    same(liveness.check(start + .seconds(14), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(15), isIdle: false) { _ in false }, .ping)
    same(liveness.check(start + .seconds(24), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(25), isIdle: false) { _ in false }, .close)
  }

  @Test func `anything that comes is a sign of life`() {
    var liveness = liveness()
    _ = liveness.check(start + .seconds(15), isIdle: false) { _ in false }
    liveness.received(start + .seconds(16))
    same(liveness.check(start + .seconds(30), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(31), isIdle: false) { _ in false }, .ping)
  }

  @Test func `the silence of an idle connection says nothing`() {
    var liveness = liveness()
    same(liveness.check(start + .seconds(500), isIdle: true) { _ in false }, .nothing)
    liveness.beginAwaitingResponse(start + .seconds(500))
    same(liveness.check(start + .seconds(514), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(515), isIdle: false) { _ in false }, .ping)
  }

  @Test func `an idle connection is asked now and then when that is wanted`() {
    var liveness = liveness(idle: .seconds(30))
    same(liveness.check(start + .seconds(29), isIdle: true) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(30), isIdle: true) { _ in false }, .ping)
    same(liveness.check(start + .seconds(40), isIdle: true) { _ in false }, .close)
  }

  @Test func `a request that comes later does not pay for a question that was asked before it`() {
    var liveness = liveness()
    same(liveness.check(start + .seconds(15), isIdle: false) { _ in false }, .ping)
    // The request was cancelled, and the connection rested a minute.
    liveness.beginAwaitingResponse(start + .seconds(75))
    same(liveness.check(start + .seconds(75), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(90), isIdle: false) { _ in false }, .ping)
    same(liveness.check(start + .seconds(100), isIdle: false) { _ in false }, .close)
  }

  @Test func `what the socket takes of a body is a sign of life`() {
    var liveness = liveness()
    liveness.wrote(start + .seconds(10))
    same(liveness.check(start + .seconds(24), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(25), isIdle: false) { _ in false }, .ping)
    liveness.wrote(start + .seconds(34))
    same(liveness.check(start + .seconds(43), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(44), isIdle: false) { _ in false }, .close)
  }

  @Test func `what leaves the socket is a sign of life`() {
    var liveness = liveness()
    same(liveness.check(start + .seconds(15), isIdle: false) { _ in false }, .ping)
    liveness.drained(start + .seconds(20))
    same(liveness.check(start + .seconds(29), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(30), isIdle: false) { _ in false }, .close)
  }

  /// Each row: whether a body went before the PING, whether the peer's system has taken both, and what follows.
  @Test(
    arguments: [
      (true, true, .nothing), (true, false, .close), (false, true, .close),
    ] as [(Bool, Bool, Liveness.Action)])
  func `a peer whose system has a body and the PING may take any time to read them`(
    _ hasBody: Bool, _ isTaken: Bool, _ action: Liveness.Action
  ) {
    var liveness = liveness()
    if hasBody { liveness.wrote(start) }
    same(liveness.check(start + .seconds(15), isIdle: false) { _ in isTaken }, .ping)
    same(liveness.check(start + .seconds(25), isIdle: false) { _ in isTaken }, action)
    liveness.received(start + .seconds(26))
    same(liveness.check(start + .seconds(41), isIdle: false) { _ in isTaken }, .ping)
    same(liveness.check(start + .seconds(51), isIdle: false) { _ in isTaken }, .close)
  }

  @Test func `a part of a TLS record that arrives after the PING is a sign of life`() {
    var liveness = liveness()
    same(liveness.check(start + .seconds(15), isIdle: false) { _ in false }, .ping)
    let (end, arrival) = (start + .seconds(25), start + .seconds(24))
    same(liveness.check(end, isIdle: false, lastArrival: arrival) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(38), isIdle: false) { _ in false }, .nothing)
    same(liveness.check(start + .seconds(39), isIdle: false) { _ in false }, .ping)
    let lost = start + .seconds(49)
    same(liveness.check(lost, isIdle: false, lastArrival: arrival) { _ in false }, .close)
  }

  private func liveness(idle: TimeAmount? = nil) -> Liveness {
    Liveness(
      pingInterval: .seconds(15), pingTimeout: .seconds(10), idlePingInterval: idle, now: start)
  }
}
