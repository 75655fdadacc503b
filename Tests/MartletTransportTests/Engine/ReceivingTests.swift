import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// How a discarded body is handled, decided from what has been received alone.
struct ReceivingTests {
  private let start = NIODeadline.uptimeNanoseconds(0)

  private func discarding(_ status: HTTPResponse.Status, after bytes: Int64 = 0) -> Receiving {
    var receiving = Receiving()
    receiving.head = ResponseHead(status: status, headers: [:])
    receiving.bodyBytes = bytes
    receiving.discardBody(start)
    return receiving
  }

  @Test func `a body that is discarded is read as far as its connection is worth it`() {
    let limit = 64 << 10
    for status in [HTTPResponse.Status.found, .ok] {
      let enough = discarding(status, after: Int64(limit)),
        more = discarding(status, after: Int64(limit) + 1)
      #expect(!enough.isDiscardedEnough(limit: limit, isRequestDelivered: true))
      #expect(more.isDiscardedEnough(limit: limit, isRequestDelivered: true))
      // After a success the server still reads the request.
      #expect(more.isDiscardedEnough(limit: limit, isRequestDelivered: false) == (status == .found))
    }
    let muchMore = discarding(.ok, after: Int64(16 * limit) + 1)
    #expect(muchMore.isDiscardedEnough(limit: limit, isRequestDelivered: false))
  }

  @Test func `it is read for a second, unless it is that of a success`() {
    let later = start + .seconds(2)
    #expect(discarding(.found).isDiscardOver(later))
    #expect(!discarding(.found).isDiscardOver(start))
    #expect(!discarding(.ok).isDiscardOver(later))
  }

  @Test func `a body with a destination is never discarded`() throws {
    var receiving = Receiving()
    receiving.head = ResponseHead(status: .notFound, headers: [:])
    receiving.bodyBytes = 1 << 30
    receiving.sink = .buffer(try BodyBuffer(limit: 1, expected: nil))
    #expect(!receiving.canEndWithoutBody)
    #expect(!receiving.isDiscardedEnough(limit: 1, isRequestDelivered: true))
    #expect(!receiving.isDiscardOver(start + .seconds(60)))
  }

  @Test func `a response after which the request is sent again is discarded`() {
    var receiving = Receiving()
    receiving.discardForRetry(start)
    #expect(receiving.willRetry)
    #expect(receiving.canEndWithoutBody)
    #expect(receiving.isDiscardOver(start + .seconds(2)))
  }

  @Test func `an end is held for a second for want of a place`() {
    var undecided = UndecidedBody()
    #expect(!undecided.isEndHeldTooLong(start + .seconds(60)))
    undecided.end = UndecidedBody.End(time: start)
    #expect(!undecided.isEndHeldTooLong(start))
    #expect(undecided.isEndHeldTooLong(start + .seconds(1)))
  }
}
