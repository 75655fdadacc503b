import Dispatch
import MartletCore
import MartletTesting
import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// When the failure of a body that goes into a file may be delivered.
@Suite(.timeLimit(.minutes(5)))
struct FileSinkTests {
  private let loop = NIOAsyncTestingEventLoop()
  private let writer = ClingingWriter()

  /// A body that was given up; the writer is about to let go.
  private func abandoned() async throws -> EventLoopFuture<Void> {
    let release = try await loop.executeInContext { [loop, writer] in
      let executor = EngineExecutor(loop: loop, outsideWork: OutsideWork())
      let sink = FileSink(writer, on: executor, highWater: FileSink.exclusiveHighWater) {
      } onFailure: { _ in
      }
      let release = sink.abandon()
      #expect(sink.abandon() === release)
      return release
    }
    try await writer.log.wait { $0 == ["abandon", "close"] }
    return release
  }

  private func isOver(_ release: EventLoopFuture<Void>) async throws -> Bool {
    try await loop.executeInContext {
      var isOver = false
      release.assumeIsolated().whenComplete { _ in isOver = true }
      return isOver
    }
  }

  @Test func `it is once the writer has let go`() async throws {
    let release = try await abandoned()
    #expect(try await !isOver(release))
    writer.mayClose.signal()
    while try await !isOver(release) { await loop.run() }
  }

  @Test func `it is after a second, though the writer has not let go`() async throws {
    let release = try await abandoned()
    defer { writer.mayClose.signal() }
    await loop.advanceTime(by: FileSink.releaseTimeout - .nanoseconds(1))
    #expect(try await !isOver(release))
    await loop.advanceTime(by: .nanoseconds(1))
    #expect(try await isOver(release))
  }
}
