import NIOHTTP2
import Testing

@testable import MartletTransport

struct FaultLogTests {
  private let log = FaultLog()

  @Test func `the fault behind an error is the last end that was written, and is told once`() {
    log.wroteFrame(HTTP2Frame(streamID: 3, payload: .rstStream(.protocolError)))
    #expect(log.take() == .stream(3, .protocolError))
    #expect(log.take() == nil)
    log.wroteFrame(
      HTTP2Frame(
        streamID: .rootStream,
        payload: .goAway(lastStreamID: .maxID, errorCode: .frameSizeError, opaqueData: nil)))
    #expect(log.take() == .connection(.frameSizeError))
  }

  @Test func `what was ended at will is no fault`() {
    log.wroteFrame(HTTP2Frame(streamID: 3, payload: .rstStream(.cancel)))
    log.forget()
    #expect(log.take() == nil)
  }
}
