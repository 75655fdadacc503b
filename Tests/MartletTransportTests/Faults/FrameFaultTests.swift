import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import Testing

/// Servers of HTTP/2 that misbehave in each part of an exchange, with TLS and without.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FrameFaultTests {
  static let faults =
    FrameFault.headFaults + FrameFault.fieldFaults + FrameFault.bodyFaults
    + FrameFault.trailerFaults + FrameFault.keptFaults + FrameFault.uploadFaults
    + FrameFault.pauseFaults

  @Test(arguments: FrameFaultTests.faults)
  func
    `an exchange with a server of HTTP/2 that misbehaves ends as it should, in time, and leaves the pool whole`(
      fault: FrameFault
    ) async throws
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for isSecure in [false, true] {
        group.addTask {
          try await fault.exchange.check(fault.ending, on: isSecure ? "https" : "http") {
            try await FrameSite(fault, isSecure: isSecure)
          } afterwards: { site in
            #expect(site.sendings == (fault.isSentAgain ? 2 : 1))
            try await site.expectNextAnswer()
            try await eventually { await site.engine.isQuiet }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// A peer that plays a fault on its first connection, and an engine that talks to it.
private struct FrameSite: FaultySite {
  let engine: HTTPTransport
  private let peer: FramePeer
  private let serving: Task<Void, Never>

  init(_ fault: FrameFault, isSecure: Bool) async throws {
    let authority = try FaultSite.authority.get()
    let peer = try await FramePeer.start(tls: isSecure ? try authority.leaf() : nil)
    self.peer = peer
    engine = peer.engine {
      $0.timeouts = Timeouts(.seconds(30))
      $0.timeouts.idle = FaultExchange.idle
      $0.tls.roots = .certificates([authority.root])
    }
    serving = Task {
      await withDiscardingTaskGroup { group in
        var act: FrameFault.Act? = fault.act
        while let connection = try? await peer.accept() {
          group.addTask { [act] in try? await Self.serve(connection, act) }
          act = nil
        }
      }
    }
  }

  /// Does what a fault says when the first request has come, and answers all others.
  private static func serve(_ connection: FrameConnection, _ act: FrameFault.Act?) async throws {
    if let act {
      _ = try await connection.request()
      try await act(connection)
    }
    while true { connection.answer(try await connection.request().stream) }
  }

  /// How many times the request with the fault was sent.
  var sendings: Int { peer.paths.count { $0 == "/fault" } }

  func request(_ method: HTTPRequest.Method, _ path: String) -> Request {
    Request(method, url: peer.url(path))
  }

  var origin: String { String(peer.url("/").absoluteString.dropLast()) }

  let proxyName: String? = nil

  func close() async {
    serving.cancel()
    await engine.close()
    await peer.stop()
  }
}
