import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// The three ways to cancel a body that has arrived whole and was not read: all end its reading alike.
@Suite(.timeLimit(.minutes(5)))
struct CancelledStreamTests {
  enum Way: CaseIterable, Sendable {
    case call
    case task
    case reader
  }

  /// What sends, and what is asked for.
  enum Source: CaseIterable, Sendable {
    case engine
    case engineCompressed
    case inProcess
  }

  private func session(_ source: Source) -> URLSessionManager {
    var configuration = SessionConfiguration()
    if source == .inProcess { configuration.transport = InProcessTransport.loopback }
    return URLSessionManager(configuration: configuration)
  }

  @Test(.timeLimit(.minutes(2)), arguments: Way.allCases, Source.allCases)
  func `a body that has arrived is cancelled until its end has been read`(
    way: Way, source: Source
  ) async throws {
    let server = try await LoopbackServer.start()
    let session = session(source)
    let path = source == .engineCompressed ? "/gzip" : "/bytes/20000"
    // Beside each other, so that the machine is busy.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<30 {
        group.addTask {
          let isOver = AwaitableValue(source == .inProcess)
          var request = Request(url: server.url(path))
          request.delivery = .stream
          let call = Call()
          call.observe { event in
            if case .attemptFinished = event.kind { isOver.update { $0 = true } }
          }
          request.call = call
          let response = try await session.send(request)
          let task = try #require(session.tasks.first { $0.call === call })
          try await isOver.wait { $0 }
          let reader = Task {
            switch way {
            case .call: call.cancel()
            case .task: task.cancel()
            case .reader: withUnsafeCurrentTask { $0?.cancel() }
            }
            return try await response.body.collect()
          }
          let error = await #expect(throws: MartletError.self) { try await reader.value }
          #expect(error?.code == .cancelled)
          #expect(task.state == .completed)
          #expect(task.error?.code == .cancelled)
        }
      }
      try await group.waitForAll()
    }
    #expect(session.tasks.isEmpty)
    await server.stop()
  }
}
