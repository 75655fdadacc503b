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
    for _ in 1...100 { adaptive.recordOverload() }
    #expect(adaptive.limit == max(limit, 1))
  }

  /// Records as many latencies as there are in some averages.
  private func record(_ latency: Duration, averages: Int, _ adaptive: inout AdaptiveLimit) {
    for _ in 0..<averages * 100 { adaptive.record(latency: latency, inUse: adaptive.limit) }
  }

  @Test func `the limit rises while responses take no longer`() {
    var adaptive = AdaptiveLimit(.adaptive())
    record(.milliseconds(20), averages: 10, &adaptive)
    #expect(adaptive.limit > 60)
  }

  @Test func `it does not rise while few requests are under way`() {
    var adaptive = AdaptiveLimit(.adaptive())
    for _ in 1...1000 { adaptive.record(latency: .milliseconds(20), inUse: 5) }
    #expect(adaptive.limit == 20)
  }

  @Test func `it falls when responses take much longer than they did`() {
    var adaptive = AdaptiveLimit(.adaptive(initial: 100))
    for _ in 1...100 { adaptive.record(latency: .milliseconds(20), inUse: 10) }
    record(.milliseconds(200), averages: 20, &adaptive)
    #expect(adaptive.limit < 30)
  }

  @Test func `single fast responses do not make the others look slow`() {
    var adaptive = AdaptiveLimit(.adaptive())
    for number in 1...2000 {
      let latency = Duration.milliseconds(number.isMultiple(of: 10) ? 1 : 100)
      adaptive.record(latency: latency, inUse: adaptive.limit)
    }
    #expect(adaptive.limit > 60)
  }

  @Test func `it falls by the share of requests that the server refuses, and stays in its range`() {
    var adaptive = AdaptiveLimit(.adaptive(initial: 100, in: 5...100))
    for number in 1...100 {
      if number.isMultiple(of: 5) {
        adaptive.recordOverload()
      } else {
        adaptive.record(latency: .milliseconds(20), inUse: 100)
      }
    }
    #expect(adaptive.limit == 80)
    for _ in 1...80 { adaptive.recordOverload() }
    #expect(adaptive.limit == 40)
    for _ in 1...1000 { adaptive.recordOverload() }
    #expect(adaptive.limit == 5)
  }

  @Test func `one refusal among many requests changes little`() {
    var adaptive = AdaptiveLimit(.adaptive())
    for _ in 1...19 { adaptive.record(latency: .milliseconds(20), inUse: 1) }
    adaptive.recordOverload()
    #expect(adaptive.limit == 19)
  }

  @Test func `limits that make no sense are no trap`() {
    for limit in [ConcurrencyLimit.fixed(.max), .adaptive(initial: .max, in: .min ... .max)] {
      var adaptive = AdaptiveLimit(limit)
      record(.zero, averages: 3, &adaptive)
      #expect(1...1_000_000 ~= adaptive.limit)
    }
  }

  /// The server works on ten requests at once, and the others wait in it.
  @Test func `it finds about the number of requests that the server can work on`() {
    var adaptive = AdaptiveLimit(.adaptive(initial: 200))
    for _ in 1...100 { adaptive.record(latency: .milliseconds(50), inUse: 1) }
    var limits: [Int] = []
    for _ in 1...4000 {
      let latency = Duration.milliseconds(50) * max(1, Double(adaptive.limit) / 10)
      adaptive.record(latency: latency, inUse: adaptive.limit)
      limits.append(adaptive.limit)
    }
    let settled = limits.suffix(1000)
    #expect(settled.allSatisfy { 10...40 ~= $0 }, "\(settled)")
  }

  // MARK: Rate

  private func waits(
    _ count: Int, at now: Duration, _ limit: RateLimit, _ balance: inout RateBalance
  ) -> [Duration?] {
    (0..<count).map { _ in balance.reserve(at: now, limit, longest: limit.maximumWait) }
  }

  @Test func `requests beyond the burst wait for their turn`() {
    var balance = RateBalance()
    let limit = RateLimit(requests: 10, per: .seconds(1), burst: 3)
    let first = waits(5, at: .zero, limit, &balance)
    #expect(first == [0, 0, 0, 100, 200].map { .milliseconds($0) })
    #expect(waits(1, at: .seconds(9), limit, &balance) == [.zero])
  }

  @Test func `in the long run the rate is that of the limit`() {
    var balance = RateBalance()
    let limit = RateLimit(requests: 10, per: .seconds(1), burst: 3)
    var now = Duration.zero
    for _ in 1...1000 { now += balance.reserve(at: now, limit, longest: .seconds(1)) ?? .zero }
    #expect(now == .milliseconds(99_700))
  }

  @Test func `a wait that would be too long is refused, and reserves nothing`() {
    var balance = RateBalance()
    var limit = RateLimit(requests: 1, per: .seconds(1), burst: 1)
    limit.maximumWait = .seconds(2)
    #expect(waits(5, at: .zero, limit, &balance) == [.zero, .seconds(1), .seconds(2), nil, nil])
    #expect(waits(1, at: .seconds(1), limit, &balance) == [.seconds(2)])
  }

  @Test func `a turn that is not used is given back`() {
    var balance = RateBalance()
    let limit = RateLimit(requests: 1, per: .seconds(1), burst: 1)
    #expect(waits(3, at: .zero, limit, &balance) == [.zero, .seconds(1), .seconds(2)])
    balance.cancelReservation(limit)
    #expect(waits(1, at: .zero, limit, &balance) == [.seconds(2)])
  }

  @Test(arguments: [
    RateLimit(requests: 0, per: .seconds(-1), burst: -1),
    RateLimit(requests: .max, per: .seconds(Int64.max), burst: .max),
    RateLimit(requests: .min, per: .seconds(Int64.max), burst: .min),
    RateLimit(requests: 1, per: .seconds(3600), burst: .max),
  ])
  func `a limit that makes no sense is no trap`(limit: RateLimit) {
    var balance = RateBalance()
    #expect(waits(1, at: .zero, limit, &balance) == [.zero])
  }

  // MARK: What servers announce

  private func announcement(_ status: Int, _ fields: KeyValuePairs<String, String>) throws
    -> RateAnnouncement
  {
    let head = ResponseHead(
      status: HTTPResponse.Status(code: status), headers: try HTTPFields(validating: fields))
    return RateAnnouncement(head, at: Date(timeIntervalSince1970: 0))
  }

  /// The waits of requests that are admitted one after the other.
  private func admissions(_ count: Int, at now: Duration, _ balance: inout RateBalance)
    -> [Duration]
  {
    (0..<count).map { _ in balance.admit(at: now) }
  }

  @Test func `after a 429 requests wait as long as the server requires`() throws {
    var balance = RateBalance()
    balance.record(try announcement(429, ["Retry-After": "7"]), at: .seconds(1))
    #expect(admissions(1, at: .seconds(2), &balance) == [.seconds(6)])
    #expect(admissions(1, at: .seconds(8), &balance) == [.zero])
    #expect(try announcement(200, ["Retry-After": "7"]).pause == nil)
  }

  @Test func `after the pause requests begin again one by one`() throws {
    var balance = RateBalance()
    balance.record(try announcement(503, ["Retry-After": "2"]), at: .zero)
    #expect(admissions(2, at: .seconds(2), &balance) == [.zero, .milliseconds(50)])
    #expect(admissions(3, at: .seconds(5), &balance) == [.zero, .zero, .zero])
  }

  @Test func `what a server announces counts for five minutes at most`() throws {
    var balance = RateBalance()
    balance.record(try announcement(503, ["Retry-After": "31557600000"]), at: .zero)
    #expect(admissions(1, at: .zero, &balance) == [.seconds(300)])
    balance = RateBalance()
    let quota: KeyValuePairs = ["RateLimit": "\"a\";r=0;t=999999999"]
    balance.record(try announcement(200, quota), at: .zero)
    #expect(admissions(1, at: .zero, &balance) == [.seconds(300)])
  }

  @Test func `the second half of a quota is spread over its time`() throws {
    var balance = RateBalance()
    let quota: KeyValuePairs = ["RateLimit": "\"a\";r=10;t=60"]
    balance.record(try announcement(200, quota), at: .zero)
    #expect(admissions(6, at: .zero, &balance).allSatisfy { $0 == .zero })
    #expect(admissions(1, at: .zero, &balance) == [.seconds(12)])
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
    #expect(admissions(2, at: .zero, &balance) == [.zero, .zero])
    #expect(admissions(2, at: .seconds(15), &balance) == [.seconds(15), .seconds(15)])
    #expect(admissions(1, at: .seconds(30), &balance) == [.zero])
  }

  @Test func `of responses in any order, the smallest number counts`() throws {
    var balance = RateBalance()
    for remaining in ["1", "3", "2"] {
      let fields: KeyValuePairs = ["RateLimit-Remaining": remaining, "RateLimit-Reset": "30"]
      balance.record(try announcement(200, fields), at: .zero)
    }
    #expect(admissions(2, at: .zero, &balance) == [.zero, .seconds(30)])
  }

  @Test func `a new window begins when the old one is over`() throws {
    var balance = RateBalance()
    let old: KeyValuePairs = ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"]
    balance.record(try announcement(200, old), at: .zero)
    let new: KeyValuePairs = ["RateLimit-Remaining": "100", "RateLimit-Reset": "60"]
    balance.record(try announcement(200, new), at: .seconds(31))
    #expect(admissions(1, at: .seconds(31), &balance) == [.zero])
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
