import NIOHTTP2
import Testing

@testable import MartletTransport

struct LastFaultTests {
  private let lastFault = LastFault()

  @Test func `the fault behind an error is the last that was recorded, and is taken once`() {
    lastFault.record(.stream(3, .protocolError))
    #expect(lastFault.take() == .stream(3, .protocolError))
    #expect(lastFault.take() == nil)
    lastFault.record(.connection(.frameSizeError))
    #expect(lastFault.take() == .connection(.frameSizeError))
  }

  @Test func `a fault that was cleared is not taken`() {
    lastFault.record(.stream(3, .cancel))
    lastFault.clear()
    #expect(lastFault.take() == nil)
  }
}
