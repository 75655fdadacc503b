import NIOCore
import Testing

@testable import MartletTransport

/// How many bytes are waited for at a time (design, the hot path).
struct ReceiveLowWaterMarkTests {
  private let begin = NIODeadline.uptimeNanoseconds(1_000_000_000)
  private let long: Int64 = 1 << 30

  @Test func `a long body that comes fast is waited for in larger pieces`() {
    var mark = ReceiveLowWaterMark()
    #expect(mark.received(1 << 19, rest: long, at: begin) == nil)
    #expect(mark.received(1 << 19, rest: long, at: begin + .milliseconds(50)) == 256 << 10)
    #expect(mark.received(1 << 20, rest: long, at: begin + .milliseconds(60)) == nil)
  }

  @Test func `a body that comes very fast is waited for in the largest pieces`() {
    var mark = ReceiveLowWaterMark()
    #expect(mark.received(1 << 20, rest: long, at: begin) == 256 << 10)
    #expect(mark.received(4 << 20, rest: long, at: begin + .milliseconds(50)) == nil)
    #expect(mark.received(1 << 20, rest: long, at: begin + .milliseconds(50)) == 1 << 20)
    #expect(mark.received(1 << 20, rest: long, at: begin + .milliseconds(60)) == nil)
    #expect(mark.waited(until: begin + .milliseconds(80)) == 1)
  }

  @Test func `a fast body is not very fast when its bytes take longer`() {
    var mark = ReceiveLowWaterMark()
    #expect(mark.received(1 << 20, rest: long, at: begin) == 256 << 10)
    for step in 1...100 {
      // 80 MiB/s.
      let now = begin + .milliseconds(Int64(step) * 10)
      #expect(mark.received(819 << 10, rest: long, at: now) == nil)
    }
  }

  @Test func `a slow body is reported as it comes`() {
    var mark = ReceiveLowWaterMark()
    for millisecond in 0..<1_000 {
      let now = begin + .milliseconds(Int64(millisecond))
      #expect(mark.received(16 << 10, rest: long, at: now) == nil)
    }
  }

  @Test func `what came before a pause says nothing of what comes after it`() {
    var mark = ReceiveLowWaterMark()
    #expect(mark.received((1 << 20) - 1, rest: long, at: begin) == nil)
    #expect(mark.received(1, rest: long, at: begin + .milliseconds(51)) == nil)
  }

  @Test func `a short body is reported as it comes`() {
    var mark = ReceiveLowWaterMark()
    #expect(mark.received(8 << 20, rest: (4 << 20) - 1, at: begin) == nil)
    #expect(mark.received(8 << 20, rest: 4 << 20, at: begin) == 256 << 10)
  }

  @Test func `the end of a body is reported as it comes`() {
    var mark = ReceiveLowWaterMark()
    #expect(mark.received(1 << 20, rest: 4 << 20, at: begin) == 256 << 10)
    #expect(mark.received(1 << 20, rest: 2 << 20, at: begin) == nil)
    #expect(mark.received(1, rest: (2 << 20) - 1, at: begin) == 1)
    #expect(mark.received((2 << 20) - 1, rest: 0, at: begin) == nil)
  }

  @Test func `when bytes fail to come, less is waited for until the body is fast again`() {
    var mark = ReceiveLowWaterMark()
    #expect(mark.waited(until: begin + .hours(1)) == nil)
    #expect(mark.received(1 << 20, rest: long, at: begin) == 256 << 10)
    #expect(mark.waited(until: begin + .milliseconds(19)) == nil)
    #expect(mark.waited(until: begin + .milliseconds(20)) == 1)
    #expect(mark.waited(until: begin + .milliseconds(40)) == nil)
    let later = begin + .milliseconds(45)
    #expect(mark.received((1 << 20) - 1, rest: long, at: later) == nil)
    #expect(mark.received(1, rest: long, at: later) == 256 << 10)
  }
}
