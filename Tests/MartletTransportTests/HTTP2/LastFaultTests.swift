import NIOHTTP2
import Testing

@testable import MartletTransport

struct LastFaultTests {
  private let lastFault = LastFault()

  @Test func `the fault behind an error is the last that was noted, and is told once`() {
    lastFault.record(.stream(3, .protocolError))
    #expect(lastFault.take() == .stream(3, .protocolError))
    #expect(lastFault.take() == nil)
    lastFault.record(.connection(.frameSizeError))
    #expect(lastFault.take() == .connection(.frameSizeError))
  }

  @Test func `what no error is to come for is told no more`() {
    lastFault.record(.stream(3, .cancel))
    lastFault.clear()
    #expect(lastFault.take() == nil)
  }
}
