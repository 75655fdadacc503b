import NIOCore
import Testing

@testable import MartletTransport

/// How many unsent bytes of a body the system may hold.
struct UnsentLimitTests {
  private let begin = NIODeadline.uptimeNanoseconds(1_000_000_000)
  private let slice = 128 << 10

  @Test func `a connection without a long body has no limit`() {
    var limit = UnsentLimit()
    #expect(limit.wrote(1 << 30, begin) == nil)
  }

  @Test func `the first long body begins with the lowest, and later ones with what there is`() {
    var limit = UnsentLimit()
    #expect(limit.begin() == 64 << 10)
    #expect(limit.begin() == nil)
  }

  @Test func `over a slow network it stays low`() {
    var limit = UnsentLimit()
    _ = limit.begin()
    // 1 MiB/s.
    for step in 0..<100 {
      #expect(limit.wrote(slice, begin + .milliseconds(Int64(step) * 125)) == nil)
    }
  }

  @Test func `it grows at once with what leaves in 50 ms, up to a chunk`() {
    var limit = UnsentLimit()
    _ = limit.begin()
    let changes = (0..<20).map { limit.wrote(slice, begin + .milliseconds(Int64($0))) }
    #expect(changes.compactMap(\.self) == [128 << 10, 256 << 10, 512 << 10])
  }

  @Test func `over a steady network it has a steady value, and falls when less leaves`() throws {
    var limit = UnsentLimit()
    _ = limit.begin()
    // 12.5 MiB/s: 640 KiB in 50 ms.
    let fast = (0..<500).map { limit.wrote(slice, begin + .milliseconds(Int64($0) * 10)) }
    #expect(fast.compactMap(\.self) == [128 << 10, 256 << 10, 512 << 10])
    // 2.5 MiB/s: 125 KiB in 50 ms. The first interval has a part of the fast ones.
    let later = begin + .seconds(5)
    let slow = (1..<100).map { limit.wrote(slice, later + .milliseconds(Int64($0) * 51)) }
    #expect(slow.compactMap(\.self).count == 1)
    #expect(try #require(slow.compactMap(\.self).first) < 256 << 10)
    // 0.25 MiB/s.
    let end = later + .seconds(6)
    let slower = (1..<100).map { limit.wrote(slice, end + .milliseconds(Int64($0) * 510)) }
    #expect(slower.compactMap(\.self) == [64 << 10])
  }
}
