import MartletTesting
import MartletTransport
import TestTiming
import Testing

/// Servers of HTTP/1.1 and proxies that misbehave in each part of an exchange, on each way to them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FaultMatrixTests {
  static let faults =
    ServerFault.connectionFaults + ServerFault.handshakeFaults + ServerFault.proxyFaults
    + ServerFault.headFaults + ServerFault.fieldFaults + ServerFault.bodyFaults
    + ServerFault.trailerFaults + ServerFault.uploadFaults + ServerFault.pauseFaults

  @Test(arguments: FaultMatrixTests.faults)
  func
    `an exchange with a server that misbehaves ends as it should, in time, and leaves the pool whole`(
      fault: ServerFault
    ) async throws
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for route in fault.routes {
        group.addTask {
          try await fault.exchange.check(fault.ending.by(route), on: route.rawValue) {
            try await FaultSite(fault, by: route)
          } afterwards: { site in
            try await expectSendings(of: fault, to: site.server)
            try await expectWholePool(after: fault, site)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Expects that the request has arrived as often as it should, each time with the same bytes.
  private func expectSendings(
    of fault: ServerFault, to server: ScriptedServer
  ) async throws {
    var sent: [ReceivedRequest] {
      server.receivedRequests.filter { $0.target.hasSuffix("/fault") }
    }
    // The server may read the request after its time-out.
    if fault.isReadWhole { try await eventually { sent.count >= fault.sendings } }
    #expect(sent.count == fault.sendings || !fault.isReadWhole && sent.count < fault.sendings)
    #expect(Set(sent.map { [$0.line] + $0.headerLines }).count <= 1)
    #expect(sent.allSatisfy { $0.body == fault.exchange.content })
  }

  /// Expects that the next request is answered, and that nothing is left in the pool.
  private func expectWholePool(after fault: ServerFault, _ site: FaultSite) async throws {
    try await site.expectNextAnswer(after: fault)
    try await eventually { await site.engine.isQuiet }
    if case .error = fault.ending { try await site.waitForClosedConnections() }
  }
}
