import Foundation
import Martlet
import Testing

@testable import MartletTool

struct TimedHopsTests {
  private func sending(_ url: String) throws -> CallEvent.Kind {
    .sending(try Request(.get, url), over: nil, isConnectionReused: false)
  }

  @Test func `one request has no title`() throws {
    var hops = TimedHops()
    hops.note(try sending("http://h/"))
    hops.note(.responseReceived(ResponseHead(status: .ok)))
    #expect(hops.lines(width: 80).isEmpty)
    hops.note(.attemptFinished(ExchangeMetrics()))
    #expect(hops.lines(width: 80) == TimingWaterfall(metrics: ExchangeMetrics()).lines(width: 80))
  }

  @Test func `each hop of a redirect has a waterfall under its title`() throws {
    var hops = TimedHops()
    for (url, status) in [
      ("http://ada:secret@h/start", HTTPResponse.Status.found), ("http://h/end", .ok),
    ] {
      hops.note(try sending(url))
      hops.note(.responseReceived(ResponseHead(status: status)))
      hops.note(.attemptFinished(ExchangeMetrics(totalDuration: .milliseconds(5))))
    }
    let lines = hops.lines(width: 80)
    #expect(lines.count == 2 * 5)
    #expect(lines[0].hasPrefix("GET http://") && lines[0].hasSuffix("h/start: 302 Found"))
    #expect(!lines[0].contains("secret"))
    #expect(lines[5] == "GET http://h/end: 200 OK")
  }

  @Test func `a request that is sent again is one hop`() throws {
    var hops = TimedHops()
    hops.note(try sending("http://h/"))
    hops.note(.retrying)
    hops.note(try sending("http://h/"))
    hops.note(.attemptFinished(ExchangeMetrics()))
    #expect(hops.lines(width: 80).count == 4)
  }
}
