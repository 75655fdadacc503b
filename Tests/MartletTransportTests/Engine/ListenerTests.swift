import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// A listener of an exchange may do anything, at any event.
@Suite(.timeLimit(.minutes(5)))
struct ListenerTests {
  @Test(
    arguments: Wire.allCases,
    ["sending", "bodySent", "requestSent", "responseReceived", "bodyReceived", "attemptFinished"])
  func `a listener may cancel the task that it listens to, at any event`(
    _ wire: Wire, _ event: String
  ) async throws {
    let (server, engine) = try await wire.start()
    let call = Call()
    let task = Locked<Task<Void, any Error>?>(nil)
    let gate = AsyncStream<Void>.makeStream()
    call.observe { heard in
      if "\(heard)".hasPrefix(event) { task.current?.cancel() }
    }
    var request = Request(.post, url: server.url("/post"), body: .data(Data(count: 300_000)))
    request.call = call
    let sent = request
    let work = Task {
      for await _ in gate.stream { break }
      _ = try await engine.send(sent)
    }
    task.withLock { $0 = work }
    gate.continuation.yield()
    _ = await work.result
    // The engine has come through it.
    let next = try await engine.send(Request(url: server.url("/get")))
    #expect(next.status == .ok)
    await server.stop()
  }
}
