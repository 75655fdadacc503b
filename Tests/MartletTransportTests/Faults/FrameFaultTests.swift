import NIOCore
import TestTiming
import Testing

/// Servers of HTTP/2 that misbehave in each part of an exchange, on each way to them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FrameFaultTests {
  static let faults =
    FrameFault.acceptFaults + FrameFault.headFaults + FrameFault.fieldFaults + FrameFault.bodyFaults
    + FrameFault.trailerFaults + FrameFault.keptFaults + FrameFault.uploadFaults
    + FrameFault.pauseFaults

  @Test(arguments: FrameFaultTests.faults)
  func
    `an exchange with a server of HTTP/2 that misbehaves ends as it should, in time, and leaves the pool whole`(
      fault: FrameFault
    ) async throws
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for route in FrameRoute.allCases {
        group.addTask {
          try await fault.exchange.check(fault.ending, on: route.rawValue) {
            try await FrameSite(fault, by: route)
          } afterwards: { site in
            // The server may read the request after its time-out.
            let expected = fault.isSentAgain ? 2 : 1
            try await eventually { site.sendings.count >= expected }
            let sendings = site.sendings
            #expect(sendings.count == expected)
            #expect(Set(sendings.map(\.fields)).count == 1)
            let content = fault.exchange.content.readableBytesView
            #expect(sendings.allSatisfy { content.starts(with: $0.body.readableBytesView) })
            if fault.isSentAgain { #expect(sendings.last?.body.readableBytesView == content) }
            try await site.expectNextAnswer()
            try await eventually { await site.engine.hasOneConnectionAtRest }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
