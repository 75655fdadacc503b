import MartletCore
import MartletTransport
import Testing

/// The limits of an engine, which its users rely on.
struct DefaultLimitTests {
  private let configuration = HTTPTransportConfiguration()

  @Test func `a head has at most 256 KiB, and 64 KiB of a discarded body are read`() {
    #expect(configuration.limits.responseHeadSize == 262_144)
    #expect(configuration.limits.discardedBodySize == 65_536)
  }

  @Test func `there are at most 64 connections to a server, and 1024 in all`() {
    #expect(configuration.connections.maximumPerOrigin == 64)
    #expect(configuration.connections.maximumTotal == 1024)
    #expect(configuration.connections.keepAliveDuration == .seconds(60))
  }

  @Test func `the unread bytes of a stream of HTTP2 have a window of 16 MiB at most`() {
    #expect(configuration.http2.initialStreamWindowSize == 4_194_304)
    #expect(configuration.http2.maximumStreamWindowSize == 16_777_216)
    #expect(configuration.http2.connectionWindowSize == 67_108_864)
  }
}
