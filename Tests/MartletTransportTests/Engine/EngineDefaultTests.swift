import MartletCore
import MartletTransport
import Testing

/// The limits of an engine, which its users rely on.
struct EngineDefaultTests {
  private let configuration = HTTPTransportConfiguration()

  @Test func `a head has at most 256 KiB, and 64 KiB of a discarded body are read`() {
    #expect(configuration.limits.responseHeadSize == 262_144)
    #expect(configuration.limits.discardedBodySize == 65_536)
  }

  @Test func `there are at most 64 connections to a server, and 1024 in all`() {
    #expect(configuration.connections.maximumPerOrigin == 64)
    #expect(configuration.connections.maximumTotal == 1024)
  }

  @Test
  func
    `the windows of HTTP2 are 4 MiB for a stream at first, 16 MiB later, and 64 MiB for a connection`()
  {
    #expect(configuration.http2.initialStreamWindowSize == 4_194_304)
    #expect(configuration.http2.maximumStreamWindowSize == 16_777_216)
    #expect(configuration.http2.connectionWindowSize == 67_108_864)
  }
}
