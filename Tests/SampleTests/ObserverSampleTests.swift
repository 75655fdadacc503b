// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import Synchronization
import Testing

/// Observers of an application's own.
@Suite(.timeLimit(.minutes(5)))
struct ObserverSampleTests {
  /// Gives each request an identifier, and counts the responses by their status.
  private final class RequestLog: SessionObserver, CallObserver {
    let counts = Mutex<[Int: Int]>([:])

    var topics: CallEvent.Topics { [.requests, .messages] }

    func observer(of task: SessionTask) -> (any CallObserver)? { self }

    func prepare(_ request: inout Request) {
      try? request.headers.set(name: "X-Request-ID", value: UUID().uuidString)
    }

    func receive(_ event: CallEvent) {
      guard case .responseReceived(let head) = event.kind else { return }
      counts.withLock { $0[head.status.code, default: 0] += 1 }
    }
  }

  @Test func `an observer adds a field to each request, and counts the responses`() async throws {
    let server = try await ScriptedServer.start(.redirect(to: "/b"), .text("ok"))
    let log = RequestLog()
    let api = HTTPSessionManager(baseURL: server.url()) { $0.observers = [log] }
    let text: String = try await api.get("a", with: TextResponseSerializer())
    #expect(text == "ok")
    #expect(log.counts.withLock { $0 } == [302: 1, 200: 1])
    let identifiers = server.receivedRequests.compactMap { $0.header("X-Request-ID") }
    #expect(Set(identifiers).count == 2)
    await server.stop()
  }
}
