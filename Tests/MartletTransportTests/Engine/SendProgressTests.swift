import NIOCore
import Testing

@testable import MartletTransport

/// Bytes that leave the system after the socket has taken them (RFC 9293 §3.8): decided without a socket.
struct SendProgressTests {
  @Test func `a socket that has taken nothing is not looked at`() {
    #expect(!SendProgress().isDue(at(60)))
  }

  @Test
  func
    `a socket is looked at when it has taken nothing for a while, and as long as it holds bytes`()
  {
    var progress = SendProgress()
    progress.wrote(at(1))
    #expect(!progress.isDue(at(1.05)))
    #expect(progress.isDue(at(1.1)))
    _ = progress.update(with: queue(acknowledged: 100, length: 50), at(1.1))
    #expect(!progress.isDue(at(1.15)))
    #expect(progress.isDue(at(1.2)))
    _ = progress.update(with: queue(acknowledged: 150, length: 0), at(1.2))
    #expect(!progress.isDue(at(60)))
    progress.wrote(at(61))
    #expect(progress.isDue(at(62)))
  }

  @Test func `there is progress while the peer acknowledges bytes, and none while it does not`() {
    var progress = SendProgress()
    progress.wrote(at(1))
    let looks: [(UInt64, Bool)] = [(100, true), (100, false), (101, true), (101, false)]
    for (index, (acknowledged, isProgress)) in looks.enumerated() {
      let moved = progress.update(
        with: queue(acknowledged: acknowledged, length: 1_000), at(2 + Double(index)))
      #expect((moved != nil) == isProgress)
    }
  }

  @Test func `what was written before a look has left when as much is acknowledged as there was`() {
    var progress = SendProgress()
    progress.wrote(at(1))
    _ = progress.update(with: queue(acknowledged: 100, length: 50), at(2))
    // More is written, so that the queue never becomes empty.
    progress.wrote(at(3))
    _ = progress.update(with: queue(acknowledged: 149, length: 500), at(4))
    #expect(!progress.hasDrained(at(1)))
    _ = progress.update(with: queue(acknowledged: 150, length: 500), at(5))
    #expect(progress.hasDrained(at(1)))
    #expect(!progress.hasDrained(at(3)))
    _ = progress.update(with: queue(acknowledged: 600, length: 50), at(6))
    _ = progress.update(with: queue(acknowledged: 650, length: 0), at(7))
    #expect(progress.hasDrained(at(3)))
  }

  @Test func `what was counted twice has left when nothing is left`() {
    var progress = SendProgress()
    progress.wrote(at(1))
    // 50 of these 100 were acknowledged before the others were counted.
    _ = progress.update(with: queue(acknowledged: 250, length: 100), at(2))
    #expect(!progress.hasDrained(at(1.5)))
    _ = progress.update(with: queue(acknowledged: 300, length: 0), at(3))
    #expect(progress.hasDrained(at(1.5)))
    #expect(!progress.isDue(at(60)))
  }

  @Test func `bytes have left when the last acknowledgement came, and after the look before`() {
    var progress = SendProgress()
    progress.wrote(at(1))
    #expect(progress.update(with: queue(acknowledged: 10, length: 9, age: 80), at(1.1)) == at(1.02))
    #expect(progress.update(with: queue(acknowledged: 12, length: 7, age: 30), at(1.2)) == at(1.17))
    #expect(progress.update(with: queue(acknowledged: 13, length: 6, age: 900), at(1.3)) == at(1.2))
  }

  private func at(_ seconds: Double) -> NIODeadline {
    .uptimeNanoseconds(1_000_000_000_000) + .nanoseconds(Int64(seconds * 1e9))
  }

  private func queue(acknowledged: UInt64, length: Int, age: Int64 = 0) -> SendProgress.Queue {
    SendProgress.Queue(acknowledged: acknowledged, length: length, age: .milliseconds(age))
  }
}
