import NIOHTTP2
import Testing

@testable import MartletTransport

/// What becomes of requests whose streams end before their responses do (RFC 9113 §5.4, §6.4, §6.8, §8.7).
struct StreamStandingTests {
  private static let codes: [HTTP2ErrorCode] = [.noError, .internalError, .refusedStream]

  /// A request that has left and was not answered yet, and that may be and can be sent twice.
  private static func sent(_ number: Int32) -> StreamStanding {
    StreamStanding(
      number: number, hasBegun: true, hasHeard: false, hasHead: false, isReceived: false,
      isIdempotent: true, mayRewind: true, isFirst: true)
  }

  /// The same with the beginning of a response.
  private static func answered(_ number: Int32) -> StreamStanding {
    var standing = sent(number)
    standing.hasHeard = true
    standing.hasHead = true
    return standing
  }

  @Test func `a request that the server refused goes out again`() {
    var standing = Self.sent(3)
    standing.isIdempotent = false
    #expect(standing.reset(with: .refusedStream) == .repeated)
    standing.mayRewind = false
    #expect(standing.reset(with: .refusedStream) == .failed(isUnprocessed: true))
  }

  @Test func `a stream that is reset for another reason fails`() {
    let standing = Self.sent(3)
    #expect(standing.reset(with: .cancel) == .failed(isUnprocessed: false))
    #expect(standing.reset(with: .noError) == .failed(isUnprocessed: false))
  }

  @Test(arguments: codes)
  func `requests after the last that the server processed go out again`(_ code: HTTP2ErrorCode) {
    var standing = Self.sent(5)
    standing.isIdempotent = false
    #expect(standing.goneAway(last: 3, code) == .repeated)
    standing.mayRewind = false
    #expect(standing.goneAway(last: 3, code) == .failed(isUnprocessed: true))
  }

  @Test func `requests that the server processes go on, unless it goes away with an error`() {
    for standing in [Self.sent(3), Self.answered(3)] {
      #expect(standing.goneAway(last: 3, .noError) == .goesOn)
    }
    #expect(Self.answered(3).goneAway(last: 3, .internalError) == .failed(isUnprocessed: false))
  }

  @Test(arguments: [
    HTTP2ErrorCode.internalError, .protocolError, .refusedStream, .flowControlError,
    HTTP2ErrorCode(networkCode: 0xABCDEF),
  ])
  func `an error of the connection has idempotent requests sent again, unheard (RFC 9110 §9.2.2)`(
    _ code: HTTP2ErrorCode
  ) {
    let standing = Self.sent(3)
    #expect(standing.goneAway(last: 3, code) == .repeated)
    for keep: WritableKeyPath<StreamStanding, Bool> in [\.isIdempotent, \.mayRewind] {
      var other = standing
      other[keyPath: keep] = false
      #expect(other.goneAway(last: 3, code) == .failed(isUnprocessed: false))
    }
    var heard = standing
    heard.hasHeard = true
    #expect(heard.goneAway(last: 3, code) == .failed(isUnprocessed: false))
  }

  @Test
  func `an error of the connection has a request sent again once, which may be the fault's own`() {
    var standing = Self.sent(3)
    standing.isFirst = false
    #expect(standing.goneAway(last: 3, .protocolError) == .failed(isUnprocessed: false))
    #expect(standing.goneAway(last: 1, .protocolError) == .repeated)
  }

  @Test(arguments: [HTTP2ErrorCode.enhanceYourCalm, .inadequateSecurity, .http11Required])
  func `an error that is about the client has nothing sent again (RFC 9113 §7)`(
    _ code: HTTP2ErrorCode
  ) {
    #expect(Self.sent(3).goneAway(last: 3, code) == .failed(isUnprocessed: false))
    #expect(Self.sent(5).goneAway(last: 3, code) == .repeated)
  }

  @Test func `a request that has not left goes out again, whatever the server would process`() {
    var standing = Self.sent(3)
    standing.hasBegun = false
    standing.isIdempotent = false
    #expect(standing.goneAway(last: .max, .noError) == .repeated)
    #expect(standing.lost() == .repeated)
    standing.mayRewind = false
    #expect(standing.goneAway(last: .max, .noError) == .failed(isUnprocessed: true))
    #expect(standing.lost(mayBeStale: true) == .failed(isUnprocessed: true))
  }

  @Test func `a connection that may have been stale has idempotent requests sent again, unheard`() {
    let standing = Self.sent(3)
    #expect(standing.lost(mayBeStale: true) == .repeated)
    #expect(standing.lost() == .failed(isUnprocessed: false))
    for keep: WritableKeyPath<StreamStanding, Bool> in [\.isIdempotent, \.mayRewind] {
      var other = standing
      other[keyPath: keep] = false
      #expect(other.lost(mayBeStale: true) == .failed(isUnprocessed: false))
    }
    var heard = standing
    heard.hasHeard = true
    #expect(heard.lost(mayBeStale: true) == .failed(isUnprocessed: false))
  }

  @Test func `a request whose response has begun goes out no more`() {
    let standing = Self.answered(5)
    #expect(standing.reset(with: .refusedStream) == .failed(isUnprocessed: false))
    #expect(standing.goneAway(last: 3, .noError) == .failed(isUnprocessed: false))
    #expect(standing.lost(mayBeStale: true) == .failed(isUnprocessed: false))
  }

  @Test(arguments: codes)
  func `a response that is whole is kept while its file is finished`(_ code: HTTP2ErrorCode) {
    var standing = Self.answered(5)
    standing.isReceived = true
    #expect(standing.reset(with: code) == .goesOn)
    #expect(standing.goneAway(last: 3, code) == .goesOn)
    #expect(standing.lost() == .goesOn)
  }
}
