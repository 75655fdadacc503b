import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// The first-byte and idle time-outs that the clock of an exchange finds, and the times of its parts. There is no exchange and no I/O.
struct ExchangeClockTests {
  private let start = NIODeadline.uptimeNanoseconds(0)
  private let timeouts = Timeouts(connect: nil, firstByte: .seconds(3), idle: .seconds(10))

  /// The time-out that has passed `seconds` after the last activity, and its phase; `nil` if none has passed.
  private func silence(_ clock: ExchangeClock, after seconds: Int64) -> String? {
    clock.silence(timeouts, clock.lastActivity + .seconds(seconds)).map {
      "\($0.phase) \($0.limit)"
    }
  }

  /// The clock of a request that has just been sent.
  private var sent: ExchangeClock {
    var clock = ExchangeClock(begin: start)
    clock.markConnected(start)
    clock.markSent(start)
    return clock
  }

  @Test func `a request that does not leave is idle`() {
    var clock = ExchangeClock(begin: start)
    clock.markConnected(start)
    #expect(silence(clock, after: 9) == nil)
    #expect(silence(clock, after: 10) == "send 10.0 seconds")
  }

  @Test func `the first byte is waited for from the moment the request has left`() {
    var clock = sent
    #expect(silence(clock, after: 2) == nil)
    #expect(silence(clock, after: 3) == "wait 3.0 seconds")
    // The system accepted the body at once, and finishes sending it 60 seconds later.
    clock.markDrained(clock.lastActivity + .seconds(60))
    #expect(silence(clock, after: 2) == nil)
    #expect(silence(clock, after: 3) == "wait 3.0 seconds")
  }

  @Test func `an interim response is no answer`() {
    var clock = sent
    clock.markReceived(clock.lastActivity + .seconds(2))
    #expect(silence(clock, after: 9) == nil)
    clock.forgetFirstByte()
    #expect(silence(clock, after: 3) == "wait 3.0 seconds")
  }

  @Test func `a response that stops is idle`() {
    var clock = sent
    clock.markReceived(clock.lastActivity + .seconds(1))
    clock.markReceived(clock.lastActivity + .seconds(9))
    #expect(silence(clock, after: 9) == nil)
    #expect(silence(clock, after: 10) == "receive 10.0 seconds")
  }

  @Test func `what is paused is not silent, and begins anew`() {
    var clock = sent
    clock.setPaused(true, start)
    #expect(silence(clock, after: 1_000) == nil)
    clock.setPaused(false, start)
    #expect(silence(clock, after: 2) == nil)
    #expect(silence(clock, after: 3) == "wait 3.0 seconds")
  }

  @Test func `another connection begins anew`() {
    var clock = sent
    clock.markReceived(clock.lastActivity)
    clock.markConnected(start)
    #expect(!clock.hasFirstByte)
    #expect(clock.phase == .send)
  }

  /// The metrics of an exchange that ended 12 ms after its beginning.
  private func metrics(of clock: ExchangeClock) -> ExchangeMetrics {
    clock.metrics(
      now: start + .milliseconds(12), connection: nil, isReused: false, bytesSent: 0,
      bytesReceived: 0)
  }

  @Test func `each part of an exchange has its time`() {
    var clock = ExchangeClock(begin: start)
    clock.markConnected(start + .milliseconds(1))
    clock.markSent(start + .milliseconds(3))
    clock.markReceived(start + .milliseconds(7))
    clock.markReceived(start + .milliseconds(9))
    let metrics = metrics(of: clock)
    let parts = [
      metrics.connectionWait, metrics.requestDuration, metrics.timeToFirstByte,
      metrics.transferDuration, metrics.totalDuration,
    ]
    #expect(parts == [1, 2, 4, 5, 12].map { .milliseconds($0) })
  }

  @Test func `a response before the end of its request has waited for nothing`() {
    var clock = ExchangeClock(begin: start)
    clock.markConnected(start)
    clock.markReceived(start + .milliseconds(7))
    clock.markSent(start + .milliseconds(9))
    let metrics = metrics(of: clock)
    #expect(metrics.requestDuration == .milliseconds(7))
    #expect(metrics.timeToFirstByte == .zero)
    #expect(metrics.transferDuration == .milliseconds(5))
  }
}
