import NIOHTTP2
import Testing

@testable import MartletTransport

struct FaultLogTests {
  private let log = FaultLog()

  @Test func `the fault behind an error is the last that was noted, and is told once`() {
    log.note(.stream(3, .protocolError))
    #expect(log.take() == .stream(3, .protocolError))
    #expect(log.take() == nil)
    log.note(.connection(.frameSizeError))
    #expect(log.take() == .connection(.frameSizeError))
  }

  @Test func `what no error is to come for is told no more`() {
    log.note(.stream(3, .cancel))
    log.clear()
    #expect(log.take() == nil)
  }
}
