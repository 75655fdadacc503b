import Testing

@testable import MartletTransport

/// How requests go on whose streams end before their responses do (RFC 9113 §5.4, §6.4, §6.8, §8.7).
struct StreamRetryPolicyTests {
  private static let codes: [HTTP2ErrorCode] = [.noError, .internalError, .refusedStream]

  /// A request that has left and was not answered yet, and that may be and can be sent twice.
  private static func sent(_ number: Int32) -> StreamRetryPolicy {
    StreamRetryPolicy(
      number: number, hasBegun: true, hasResponseBytes: false, hasHead: false, isReceived: false,
      isIdempotent: true, canRetry: true, isFirst: true)
  }

  /// The same with the beginning of a response.
  private static func answered(_ number: Int32) -> StreamRetryPolicy {
    var policy = sent(number)
    policy.hasResponseBytes = true
    policy.hasHead = true
    return policy
  }

  @Test func `a request that the server refused goes out again`() {
    var policy = Self.sent(3)
    policy.isIdempotent = false
    #expect(policy.reset(with: .refusedStream) == .retried)
    policy.canRetry = false
    #expect(policy.reset(with: .refusedStream) == .failed(isUnprocessed: true))
  }

  @Test func `a stream that is reset for another reason fails`() {
    let policy = Self.sent(3)
    #expect(policy.reset(with: .cancel) == .failed(isUnprocessed: false))
    #expect(policy.reset(with: .noError) == .failed(isUnprocessed: false))
  }

  @Test(arguments: codes)
  func `requests after the last that the server processed go out again`(_ code: HTTP2ErrorCode) {
    var policy = Self.sent(5)
    policy.isIdempotent = false
    #expect(policy.goneAway(last: 3, code) == .retried)
    policy.canRetry = false
    #expect(policy.goneAway(last: 3, code) == .failed(isUnprocessed: true))
  }

  @Test func `requests that the server processes go on, unless it goes away with an error`() {
    for policy in [Self.sent(3), Self.answered(3)] {
      #expect(policy.goneAway(last: 3, .noError) == .continues)
    }
    #expect(Self.answered(3).goneAway(last: 3, .internalError) == .failed(isUnprocessed: false))
  }

  @Test(arguments: [
    HTTP2ErrorCode.internalError, .protocolError, .refusedStream, .flowControlError,
    HTTP2ErrorCode(rawValue: 0xABCDEF),
  ])
  func `an error of the connection has idempotent requests sent again, unheard (RFC 9110 §9.2.2)`(
    _ code: HTTP2ErrorCode
  ) {
    let policy = Self.sent(3)
    #expect(policy.goneAway(last: 3, code) == .retried)
    for keep: WritableKeyPath<StreamRetryPolicy, Bool> in [\.isIdempotent, \.canRetry] {
      var other = policy
      other[keyPath: keep] = false
      #expect(other.goneAway(last: 3, code) == .failed(isUnprocessed: false))
    }
    var heard = policy
    heard.hasResponseBytes = true
    #expect(heard.goneAway(last: 3, code) == .failed(isUnprocessed: false))
  }

  @Test
  func `an error of the connection has a request sent again once, which may be the fault's own`() {
    var policy = Self.sent(3)
    policy.isFirst = false
    #expect(policy.goneAway(last: 3, .protocolError) == .failed(isUnprocessed: false))
    #expect(policy.goneAway(last: 1, .protocolError) == .retried)
  }

  @Test(arguments: [HTTP2ErrorCode.enhanceYourCalm, .inadequateSecurity, .http11Required])
  func `an error that is about the client has nothing sent again (RFC 9113 §7)`(
    _ code: HTTP2ErrorCode
  ) {
    #expect(Self.sent(3).goneAway(last: 3, code) == .failed(isUnprocessed: false))
    #expect(Self.sent(5).goneAway(last: 3, code) == .retried)
  }

  @Test func `a request that has not left goes out again, whatever the server would process`() {
    var policy = Self.sent(3)
    policy.hasBegun = false
    policy.isIdempotent = false
    #expect(policy.goneAway(last: .max, .noError) == .retried)
    #expect(policy.lost() == .retried)
    policy.canRetry = false
    #expect(policy.goneAway(last: .max, .noError) == .failed(isUnprocessed: true))
    #expect(policy.lost(mayBeStale: true) == .failed(isUnprocessed: true))
  }

  @Test func `a connection that may have been stale has idempotent requests sent again, unheard`() {
    let policy = Self.sent(3)
    #expect(policy.lost(mayBeStale: true) == .retried)
    #expect(policy.lost() == .failed(isUnprocessed: false))
    for keep: WritableKeyPath<StreamRetryPolicy, Bool> in [\.isIdempotent, \.canRetry] {
      var other = policy
      other[keyPath: keep] = false
      #expect(other.lost(mayBeStale: true) == .failed(isUnprocessed: false))
    }
    var heard = policy
    heard.hasResponseBytes = true
    #expect(heard.lost(mayBeStale: true) == .failed(isUnprocessed: false))
  }

  @Test func `a request whose response has begun goes out no more`() {
    let policy = Self.answered(5)
    #expect(policy.reset(with: .refusedStream) == .failed(isUnprocessed: false))
    #expect(policy.goneAway(last: 3, .noError) == .failed(isUnprocessed: false))
    #expect(policy.lost(mayBeStale: true) == .failed(isUnprocessed: false))
  }

  @Test(arguments: codes)
  func `a response that is whole is kept while its file is finished`(_ code: HTTP2ErrorCode) {
    var policy = Self.answered(5)
    policy.isReceived = true
    #expect(policy.reset(with: code) == .continues)
    #expect(policy.goneAway(last: 3, code) == .continues)
    #expect(policy.lost() == .continues)
  }
}
