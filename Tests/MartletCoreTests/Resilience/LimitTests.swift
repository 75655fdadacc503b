import EssentialFoundation
import HTTPTypes
import Testing

@testable import MartletCore

/// How many requests may be sent, and when. Decided without any request.
struct LimitTests {
  // MARK: Concurrency

  @Test(arguments: [1, 8, 0, -3])
  func `a fixed limit does not move`(limit: Int) {
    var adaptive = AdaptiveLimit(.fixed(limit))
    for milliseconds in [1, 500, 1, 2000] {
      adaptive.record(latency: .milliseconds(milliseconds), inUse: limit)
    }
    adaptive.recordOverload()
    #expect(adaptive.limit == max(limit, 1))
  }

  @Test func `the limit rises while responses take no longer`() {
    var adaptive = AdaptiveLimit(.adaptive())
    for _ in 1...50 { adaptive.record(latency: .milliseconds(20), inUse: adaptive.limit) }
    #expect(adaptive.limit > 60)
  }

  @Test func `it does not rise while few requests are under way`() {
    var adaptive = AdaptiveLimit(.adaptive())
    for _ in 1...50 { adaptive.record(latency: .milliseconds(20), inUse: 5) }
    #expect(adaptive.limit == 20)
  }

  @Test func `it falls when responses take much longer than the shortest`() {
    var adaptive = AdaptiveLimit(.adaptive(initial: 100))
    adaptive.record(latency: .milliseconds(20), inUse: 100)
    for _ in 1...50 { adaptive.record(latency: .milliseconds(200), inUse: adaptive.limit) }
    #expect(adaptive.limit < 30)
  }

  @Test func `it falls when the server refuses requests, and stays in its range`() {
    var adaptive = AdaptiveLimit(.adaptive(initial: 100, in: 5...100))
    adaptive.recordOverload()
    #expect(adaptive.limit == 90)
    for _ in 1...100 { adaptive.recordOverload() }
    #expect(adaptive.limit == 5)
  }

  /// The server works on ten requests at once, and the others wait in it.
  @Test func `it finds about the number of requests that the server can work on`() {
    var adaptive = AdaptiveLimit(.adaptive(initial: 200))
    var limits: [Int] = []
    adaptive.record(latency: .milliseconds(50), inUse: 1)
    for _ in 1...400 {
      let latency = Duration.milliseconds(50) * max(1, Double(adaptive.limit) / 10)
      adaptive.record(latency: latency, inUse: adaptive.limit)
      limits.append(adaptive.limit)
    }
    let settled = limits.suffix(100)
    #expect(settled.allSatisfy { 8...40 ~= $0 }, "\(settled)")
  }

  // MARK: Rate

  private func waits(
    _ count: Int, at now: Duration, _ limit: RateLimit, _ balance: inout RateBalance
  )
    -> [Duration?]
  {
    (0..<count).map { _ in balance.reserve(at: now, limit) }
  }

  @Test func `requests beyond the burst wait for their turn`() {
    var balance = RateBalance()
    let limit = RateLimit(requests: 10, per: .seconds(1), burst: 3)
    let waits = waits(5, at: .zero, limit, &balance)
    #expect(waits == [0, 0, 0, 100, 200].map { .milliseconds($0) })
    #expect(balance.reserve(at: .seconds(9), limit) == .zero)
  }

  @Test func `in the long run the rate is that of the limit`() {
    var balance = RateBalance()
    let limit = RateLimit(requests: 10, per: .seconds(1), burst: 3)
    var now = Duration.zero
    for _ in 1...1000 { now += balance.reserve(at: now, limit) ?? .zero }
    #expect(now == .milliseconds(99_700))
  }

  @Test func `a wait that would be too long is refused, and reserves nothing`() {
    var balance = RateBalance()
    var limit = RateLimit(requests: 1, per: .seconds(1), burst: 1)
    limit.longestWait = .seconds(2)
    #expect(waits(5, at: .zero, limit, &balance) == [.zero, .seconds(1), .seconds(2), nil, nil])
    #expect(balance.reserve(at: .seconds(1), limit) == .seconds(2))
  }

  @Test func `a limit that makes no sense is no trap`() {
    var balance = RateBalance()
    let limit = RateLimit(requests: 0, per: .seconds(-1), burst: -1)
    #expect(waits(3, at: .zero, limit, &balance) == [.zero, .zero, .zero])
  }

  // MARK: What servers announce

  private func announcement(_ status: Int, _ fields: KeyValuePairs<String, String>) throws
    -> RateAnnouncement
  {
    let head = ResponseHead(
      status: HTTPResponse.Status(code: status), headers: try HTTPFields(validating: fields))
    return RateAnnouncement(head, at: Date(timeIntervalSince1970: 0))
  }

  @Test func `after a 429 requests wait as long as the server says`() throws {
    var balance = RateBalance()
    balance.record(try announcement(429, ["Retry-After": "7"]), at: .seconds(1))
    #expect(balance.reserve(at: .seconds(2), .announced) == .seconds(6))
    #expect(balance.reserve(at: .seconds(8), .announced) == .zero)
    #expect(try announcement(200, ["Retry-After": "7"]).pause == nil)
  }

  @Test(
    arguments: [
      ["RateLimit": "\"default\";r=2;t=30"],
      ["RateLimit": "\"hour\";r=50;t=900, \"minute\";r=2;t=30"],
      ["RateLimit-Remaining": "2", "RateLimit-Reset": "30"],
    ] as [KeyValuePairs<String, String>])
  func `a quota that is used up is waited for`(fields: KeyValuePairs<String, String>) throws {
    var balance = RateBalance()
    balance.record(try announcement(200, fields), at: .zero)
    #expect(waits(3, at: .zero, .announced, &balance) == [.zero, .zero, .seconds(30)])
  }

  @Test func `of responses in any order, the smallest number counts`() throws {
    var balance = RateBalance()
    for remaining in ["1", "3", "2"] {
      let fields: KeyValuePairs = ["RateLimit-Remaining": remaining, "RateLimit-Reset": "30"]
      balance.record(try announcement(200, fields), at: .zero)
    }
    #expect(waits(2, at: .zero, .announced, &balance) == [.zero, .seconds(30)])
  }

  @Test func `a new window begins when the old one is over`() throws {
    var balance = RateBalance()
    let old: KeyValuePairs = ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"]
    balance.record(try announcement(200, old), at: .zero)
    let new: KeyValuePairs = ["RateLimit-Remaining": "100", "RateLimit-Reset": "60"]
    balance.record(try announcement(200, new), at: .seconds(31))
    #expect(balance.reserve(at: .seconds(31), .announced) == .zero)
  }

  @Test(
    arguments: [
      ["RateLimit": "nonsense"], ["RateLimit": "\"a\";r=-1;t=5"], ["RateLimit": "\"a\";r=1"],
      ["RateLimit-Remaining": "0"], ["RateLimit-Remaining": "0", "RateLimit-Reset": "tomorrow"],
      ["RateLimit-Remaining": "0", "RateLimit-Reset": "99999999999999999999"],
    ] as [KeyValuePairs<String, String>])
  func `nonsense is ignored`(fields: KeyValuePairs<String, String>) throws {
    let announcement = try announcement(200, fields)
    #expect(announcement.remaining == nil)
    #expect(announcement.pause == nil)
  }
}
