import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

/// Forms that are sent slowly.
@Suite(.timeLimit(.minutes(5)))
struct UploadThrottleTests {
  private func sizes(_ packetSize: Int, _ delay: Duration) async throws -> [Int] {
    let (body, _) = try form { form in
      form.append(text: String(repeating: "x", count: 100_000), name: "a")
      try form.throttleBandwidth(packetSize: packetSize, delay: delay)
    }.encoded()
    return try await body.chunks().map(\.readableBytes)
  }

  @Test(.covers("REQ-M30", "REQ-M34"))
  func `no packet is larger than allowed`() async throws {
    let sizes = try await sizes(1000, .zero)
    #expect(sizes.allSatisfy { (1...1000).contains($0) })
    #expect(sizes.count >= 100)
    #expect(sizes.reduce(0, +) > 100_000)
    #expect(try await self.sizes(.max, .zero).contains(100_000))
  }

  @Test(.covers("REQ-M23"))
  func `packets of one byte make the same form`() async throws {
    let whole = form { $0.append(text: "tern", name: "a") }
    var slow = whole
    try slow.throttleBandwidth(packetSize: 1, delay: .zero)
    #expect(try await slow.text() == whole.text())
  }

  @Test(.covers("REQ-M33", "REQ-M38"))
  func `there is a pause after each packet, the second time as well`() async throws {
    let (body, _) = try form { form in
      form.append(text: "1", name: "a")
      try form.throttleBandwidth(packetSize: 20, delay: .milliseconds(2))
    }.encoded()
    for _ in 1...2 {
      let start = ContinuousClock.now
      let count = try await body.chunks().count
      #expect(count >= 5)
      #expect(.now - start >= .milliseconds(2) * count)
    }
  }

  @Test(.covers("REQ-M34"), arguments: [0, -1])
  func `packets that hold nothing are refused`(size: Int) {
    let error = failure { try form { try $0.throttleBandwidth(packetSize: size, delay: .zero) } }
    #expect(error?.code == .invalidRequest)
    #expect(
      error?.message
        == "The packet size is \(size), with which no data can be sent: give at least one byte."
    )
  }

  @Test(.covers("REQ-M35"))
  func `a pace for slow links is suggested`() {
    #expect(UploadThrottle.suggestedCellularPacketSize == 16_384)
    #expect(UploadThrottle.suggestedCellularDelay == .milliseconds(200))
  }

  @Test(.covers("REQ-M31"))
  func `a length that is known stays known`() throws {
    let plain = form { $0.append(text: "1", name: "a") }
    var slow = plain
    try slow.throttleBandwidth(packetSize: 5, delay: .seconds(1))
    #expect(slow.encoded().body.length == plain.encoded().body.length)
    #expect(slow.encoded().body.isReplayable)
  }
}
