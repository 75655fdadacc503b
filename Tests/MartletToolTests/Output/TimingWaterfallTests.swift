import Martlet
import Testing

@testable import MartletTool

struct TimingWaterfallTests {
  private func metrics(isReused: Bool = false, tls: Duration? = nil) -> ExchangeMetrics {
    let info = ConnectionInfo(
      protocolName: "http/1.1", localAddress: nil, remoteAddress: nil,
      resolveDuration: .milliseconds(10), connectDuration: .milliseconds(20), tlsDuration: tls,
      tlsVersion: nil)
    return ExchangeMetrics(
      connectionWait: isReused ? .zero : .milliseconds(30) + (tls ?? .zero),
      requestDuration: .milliseconds(5), timeToFirstByte: .milliseconds(35),
      transferDuration: .milliseconds(30),
      totalDuration: .milliseconds(100), isConnectionReused: isReused, bytesSent: 120,
      bytesReceived: 4200, connection: info)
  }

  @Test func `bars stand below one another where their phases were`() {
    #expect(
      TimingWaterfall(metrics: metrics()).lines(width: 46) == [
        "resolve       10.0 ms  ▕██                  ▏",
        "connect       20.0 ms  ▕  ████              ▏",
        "send           5.0 ms  ▕      █             ▏",
        "wait          35.0 ms  ▕       ███████      ▏",
        "receive       30.0 ms  ▕              ██████▏",
        "total        100.0 ms  120 B sent, 4.2 kB received",
      ])
  }

  @Test func `TLS is a phase of its own`() {
    let phases = TimingWaterfall(metrics: metrics(tls: .milliseconds(40))).phases
    #expect(phases.map(\.name) == ["resolve", "connect", "TLS", "send", "wait", "receive"])
    #expect(phases[3].start == .milliseconds(70))
  }

  @Test func `a connection that was open already took no time to make`() {
    let waterfall = TimingWaterfall(metrics: metrics(isReused: true))
    #expect(waterfall.phases.map(\.name) == ["send", "wait", "receive"])
    #expect(waterfall.lines(width: 80).last?.hasSuffix("open already") == true)
  }

  @Test func `nothing at all still makes lines`() {
    #expect(TimingWaterfall(metrics: ExchangeMetrics()).lines(width: 0).count == 4)
  }
}
