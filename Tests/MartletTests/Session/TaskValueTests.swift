import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// A task as something to wait for, and to watch.
@Suite(.timeLimit(.minutes(5)))
struct TaskValueTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()

  init() async throws {
    server = try await .start()
    session.completionQueue = .global()
  }

  private func task(_ path: String) -> SessionTask {
    session.dataTask(with: Request(url: server.url(path))) { _, _, _ in }
  }

  @Test func `its value is there for any number of callers, before the end and after it`()
    async throws
  {
    let task = task("/bytes/1000")
    async let first = task.value
    async let second = task.value
    task.resume()
    #expect(try await first.body.bytes?.readableBytes == 1000)
    #expect(try await second.body.bytes?.readableBytes == 1000)
    #expect(try await task.value.status == .ok)
  }

  @Test func `its error is its value, too`() async throws {
    let task = task("/delay/9")
    task.resume()
    task.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `a caller that waits for a value can be cancelled, and the task goes on`() async throws
  {
    let task = task("/get")
    let waiting = Task { try await task.value }
    waiting.cancel()
    let error = await #expect(throws: MartletError.self) { try await waiting.value }
    #expect(error?.code == .cancelled)
    #expect(
      error?.message
        == "Waiting for the response of \(server.url("/get").absoluteString) was cancelled: its task goes on."
    )
    task.resume()
    #expect(try await task.value.status == .ok)
  }

  @Test func `the value of a task that is over is there for a cancelled caller, too`() async throws
  {
    let task = task("/get")
    task.resume()
    _ = try await task.value
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await task.value
    }
    #expect(try await waiting.value.status == .ok)
  }

  @Test(.covers("SES-P6"))
  func `its events come as a sequence that ends with it`() async throws {
    let task = task("/get")
    let events = task.events
    task.resume()
    var names: [String] = []
    for await event in events { names.append(String("\(event)".prefix { $0 != "(" })) }
    #expect(names.first == "taskResumed")
    #expect(names.contains("sending") && names.contains("responseReceived"))
    #expect(names.suffix(2) == ["attemptFinished", "taskCompleted"])
    for await _ in task.events { Issue.record("a task that is over tells nothing more") }
  }

  @Test func `a session's events cover every task, async calls included`() async throws {
    var session: URLSessionManager? = URLSessionManager()
    session?.completionQueue = .global()
    let events = try #require(session).events
    let url = server.url("/get?async")
    _ = try await session?.send(Request(url: url))
    let task = session?.dataTask(with: Request(url: server.url("/get?task"))) { _, _, _ in }
    task?.resume()
    _ = try await task?.value
    session = nil
    var finished: [String?] = []
    for await event in events {
      if case .attemptFinished = event.event.kind {
        finished.append(event.task.originalRequest.url.query)
      }
    }
    #expect(finished == ["async", "task"])
  }

  @Test(.covers("SES-P2", "SES-P7", "T-SES-02"))
  func `its progress comes as a sequence of values, the last of which is the whole`() async throws {
    let download = task("/bytes/3000000")
    let updates = download.downloadUpdates
    download.resume()
    var last = TransferProgress()
    for await update in updates {
      #expect(update.completed >= last.completed)
      last = update
    }
    #expect(last.completed == 3_000_000 && last.fractionCompleted == 1)
    #expect(last.timeRemaining == .zero)

    let upload = session.uploadTask(
      with: Request(.post, url: server.url("/post")), from: Data(count: 100_000)
    ) { _, _, _ in }
    let sent = upload.uploadUpdates
    upload.resume()
    for await update in sent { last = update }
    #expect(last.completed == 100_000 && last.total == 100_000)
  }

  @Test(.covers("SES-T7"))
  func `its counters, request and metrics are those of the exchange`() async throws {
    let task = session.uploadTask(
      with: Request(.post, url: server.url("/redirect-to?url=/post&status_code=308")),
      from: Data(count: 5000)
    ) { _, _, _ in }
    #expect(task.metrics == nil)
    #expect(task.currentRequest.url == task.originalRequest.url)
    #expect(task.countOfBytesExpectedToSend == 5000)
    task.resume()
    let response = try await task.value
    #expect(task.currentRequest.url.path == "/post")
    #expect(task.currentRequest.body.length == 5000)
    #expect(task.countOfBytesSent == 5000)
    #expect(task.countOfBytesReceived == Int64(response.body.bytes?.readableBytes ?? 0))
    #expect(task.countOfBytesExpectedToReceive == task.countOfBytesReceived)
    #expect(task.metrics?.bytesReceived == response.metrics.bytesReceived)
    #expect(task.priority == .medium)
  }
}
