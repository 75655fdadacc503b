import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Downloads that are cancelled after their last byte, before they have their name.
@Suite(.timeLimit(.minutes(5)))
struct LateCancellationTests {
  private let session = URLSessionManager()
  private let folder: TemporaryFolder
  private var target: URL { folder.url.appendingPathComponent("target") }

  init() throws {
    folder = try TemporaryFolder()
    session.completionQueue = .global()
  }

  private func start(_ more: Script...) async throws -> ScriptedServer {
    let whole = CannedResponse(200, ["ETag": "\"a\""], "abcdefghij")
    let server = try await ScriptedServer.start(.reply(whole))
    for script in more { server.enqueue(script) }
    return server
  }

  /// Calls `cancel` when the last byte of an exchange has come.
  private func atEnd(of call: Call, _ cancel: @escaping @Sendable () -> Void) {
    call.observe { event in
      if case .attemptFinished = event.kind { cancel() }
    }
  }

  @Test func `the name is not taken, and nothing stays behind`() async throws {
    let server = try await start()
    var request = Request(url: server.url())
    let call = Call()
    request.call = call
    atEnd(of: call) { [session] in session.downloadTasks.first?.cancel() }
    let error = await failure { [request] in try await session.download(request, to: target) }
    #expect(error?.code == .cancelled && error?.resumeData == nil)
    #expect(try folder.names == [])
  }

  @Test func `what came is resume data for a cancellation that asks for it`() async throws {
    let server = try await start(.status(416, ["Content-Range": "bytes */10"]))
    let left = Locked<ResumeData?>(nil)
    let task = session.downloadTask(with: Request(url: server.url())) { _, file, error in
      #expect(file == nil && error?.code == .cancelled)
    }
    atEnd(of: task.call) {
      task.cancel { data in left.withLock { $0 = data } }
    }
    task.resume()
    // It is handed out behind the end.
    try await eventually { left.withLock { $0 != nil } }
    #expect(task.state == .completed)
    let data = try #require(left.current)
    #expect(data.received == 10)
    let file = try await session.download(
      Request(url: server.url()), to: target, resuming: data)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "abcdefghij")
    #expect(server.receivedRequests.map { $0.header("Range") } == [nil, "bytes=10-"])
  }

  @Test func `a temporary file that is not delivered is removed`() throws {
    let task = session.registry.add(try Request(.get, "http://h/"), kind: .download)
    task.cancel()
    try Data("abc".utf8).write(to: target)
    let response = Response(
      head: ResponseHead(status: .ok), url: task.originalRequest.url,
      body: ResponseBody(file: target))
    #expect(throws: MartletError.self) { try task.complete(with: response) }
    #expect(try folder.names == [])
  }
}
