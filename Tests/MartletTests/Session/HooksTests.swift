import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// The hooks that a session calls for its tasks.
@Suite(.timeLimit(.minutes(5)))
struct HooksTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()

  init() async throws {
    server = try await .start()
    session.completionQueue = .global()
    session.responseSerializer = HTTPResponseSerializer()
  }

  // MARK: Redirects

  @Test(.covers("SES-T12", "SES-T11", "T-HTM-04"))
  func `a redirect that its hook lets pass is followed`() async throws {
    let seen = Locked<[Int]>([])
    session.onRedirect = { task, redirect, proposed in
      #expect(task.originalRequest.url.path == "/redirect/2")
      seen.withLock { $0.append(redirect.status.code) }
      return proposed
    }
    let end = await session.end(of: Request(url: server.url("/redirect/2")))
    #expect(seen.current == [302, 302])
    #expect(end.task.state == .completed && end.error == nil)
    #expect(end.task.currentRequest.url.path == "/get")
    #expect(end.response?.redirects.map(\.url.path) == ["/redirect/2", "/relative-redirect/1"])
  }

  @Test(.covers("SES-T12"))
  func `a redirect that its hook refuses is the response, with its body`() async throws {
    session.onRedirect = { _, _, _ in nil }
    let response = try await session.send(Request(url: server.url("/redirect/1")))
    #expect(response.status == .found)
    #expect(response.redirects.isEmpty)
    #expect(try await response.body.collect().readableBytes > 0)
  }

  @Test(.covers("SES-T12"))
  func `a redirect can lead elsewhere`() async throws {
    let server = server
    session.onRedirect = { _, _, proposed in
      var changed = proposed
      changed.url = server.url("/anything/else")
      return changed
    }
    let response = try await session.send(Request(url: server.url("/redirect/1")))
    #expect(response.url.path == "/anything/else")
    #expect(response.redirects.map(\.head.status.code) == [302])
  }

  @Test(.covers("SES-T12"))
  func `a request of the hook's own belongs to the same task`() async throws {
    let server = server
    session.onRedirect = { _, _, _ in Request(url: server.url("/bytes/1000")) }
    let end = await session.end(of: Request(url: server.url("/redirect/1")))
    #expect(end.response?.url.path == "/bytes/1000")
    #expect(end.task.countOfBytesReceived == 1000)
    #expect(end.task.currentRequest.url.path == "/bytes/1000")
  }

  @Test(.covers("SES-B1", "SES-B2"), arguments: [true, false])
  func `a body that is needed once more comes from its hook`(hasOne: Bool) async throws {
    session.onNeedNewBody = { _ in hasOne ? .text("new") : nil }
    let once = RequestBody.producer(length: nil, isReplayable: false) { write in
      try await write(ByteBuffer(string: "old"))
    }
    let url = server.url("/redirect-to?url=/post&status_code=307")
    let end = await session.end(of: Request(.post, url: url, body: once))
    #expect(end.error?.code == (hasOne ? nil : .bodyNotReplayable))
    if hasOne {
      let text = try #require(end.response?.body.bytes.map { String(buffer: $0) })
      #expect(text.contains("\"new\"") && !text.contains("\"old\""))
    }
  }

  // MARK: Responses

  @Test(.covers("SES-T13", "SES-C11"))
  func `a response that its hook cancels ends the task`() async throws {
    session.onResponse = { _, head in
      #expect(head.status == .ok)
      return .cancel
    }
    let end = await session.end(of: Request(url: server.url("/bytes/1000000")))
    #expect(end.error?.code == .cancelled)
    try await eventually { session.tasks.isEmpty }
  }

  @Test(.covers("SES-T13", "SES-T8", "SES-D1"))
  func `a response can become a download`() async throws {
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("target")
    let became = Locked<Int?>(nil)
    session.onResponse = { _, _ in .becomeDownload }
    session.onBecomeDownload = { task in
      let identifier = task.taskIdentifier
      became.withLock { $0 = identifier }
    }
    session.onDownloadFinished = { _, _ in target }
    let end = await session.end(of: Request(url: server.url("/bytes/5000")))
    #expect(became.current == end.task.taskIdentifier)
    #expect(end.task.kind == .download)
    #expect(end.object as? URL == target)
    #expect(try Data(contentsOf: target).count == 5000)
  }

  @Test(.covers("SES-T11"))
  func `a hook is asked about the response that counts, and not about redirects`() async throws {
    let seen = Locked<[Int]>([])
    session.onResponse = { _, head in
      seen.withLock { $0.append(head.status.code) }
      return .allow
    }
    _ = try await session.send(Request(url: server.url("/redirect/1")))
    #expect(seen.current == [200])
  }

  // MARK: Data and progress

  @Test(.covers("SES-P2"), arguments: [Delivery.buffered, .stream])
  func `the hook for data receives every piece of a body, before the completion`(delivery: Delivery)
    async throws
  {
    let heard = Locked(ByteBuffer())
    session.onData = { _, data in
      heard.withLock { _ = $0.writeImmutableBuffer(data) }
    }
    var request = Request(url: server.url("/bytes/300000?seed=1"))
    request.delivery = delivery
    let end = await session.end(of: request)
    #expect(heard.current.readableBytes == 300_000)
    #expect(end.object as? Data == Data(heard.current.readableBytesView))
  }

  @Test(.covers("SES-P2"))
  func `a body that a hook receives in pieces keeps to the limit of its delivery`() async throws {
    session.onData = { _, _ in }
    var request = Request(url: server.url("/bytes/300000"))
    request.delivery = .buffered(limit: 1000)
    let end = await session.end(of: request)
    #expect(end.error?.code == .bodyTooLarge)
  }

  @Test(.covers("SES-P8", "SES-P3"))
  func `the total of an upload is the length of its body, and nil without one`() async throws {
    let told = Locked<[TransferProgress]>([])
    session.onBodyDataSent = { _, bytes, progress in
      #expect(bytes > 0)
      told.withLock { $0.append(progress) }
    }
    let body = RequestBody.producer(length: nil) { write in
      try await write(ByteBuffer(string: "arctic tern"))
    }
    var request = Request(.post, url: server.url("/post"), body: body)
    _ = await session.end(of: request)
    #expect(told.current.map(\.total) == [nil])
    request.body = .text("arctic tern")
    _ = await session.end(of: request)
    #expect(told.current.last?.total == 11)
    #expect(told.current.last?.completed == 11)
  }

  @Test(.covers("SES-P4"))
  func `the progress of a download is reported as it is written`() async throws {
    let told = Locked<[TransferProgress]>([])
    session.onDownloadProgress = { _, _, progress in told.withLock { $0.append(progress) } }
    _ = await session.end(of: Request(url: server.url("/bytes/1000")))
    #expect(told.current.isEmpty)
    let ended = AwaitableValue(false)
    session.downloadTask(with: Request(url: server.url("/bytes/300000"))) { _, _, _ in
      ended.update { $0 = true }
    }.resume()
    try await ended.wait { $0 }
    #expect(told.current.last?.completed == 300_000)
    #expect(told.current.last?.fractionCompleted == 1)
  }

  // MARK: The end

  @Test(.covers("SES-C7", "SES-C14", "T-SES-04"))
  func `metrics and the end are reported before the completion, without the serializer's error`()
    async throws
  {
    let told = Locked<[String]>([])
    session.onMetrics = { _, metrics in
      #expect(metrics.bytesReceived > 0)
      told.withLock { $0.append("metrics") }
    }
    session.onTaskCompletion = { _, error in
      told.withLock { $0.append("end \(error.map { "\($0.code)" } ?? "well")") }
    }
    let end = await session.end(of: Request(url: server.url("/status/404")))
    // The exchange went well; what the serializer thinks of the status is another matter.
    #expect(end.error?.code == .unacceptableStatusCode)
    #expect(told.current == ["metrics", "end well"])
  }

  @Test(.covers("SES-C1", "SES-C4"))
  func `an exchange that fails is reported with its error`() async throws {
    let told = Locked<MartletError.Code?>(nil)
    session.onTaskCompletion = { _, error in told.withLock { $0 = error?.code } }
    let port = try ReservedPort.refusing()
    let end = await session.end(of: try Request(.get, "http://127.0.0.1:\(port.port)/"))
    #expect(told.current == .connectionFailed)
    #expect(end.error?.code == .connectionFailed && end.object == nil)
  }

  @Test func `a task keeps to the hooks that were set when it was made`() async throws {
    let told = Locked(0)
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    session.onTaskCompletion = { _, _ in told.withLock { $0 += 1 } }
    #expect(session.onTaskCompletion != nil)
    task.resume()
    _ = try await task.value
    _ = await session.end(of: Request(url: server.url("/get")))
    #expect(told.current == 1)
    session.onTaskCompletion = nil
    _ = await session.end(of: Request(url: server.url("/get")))
    #expect(told.current == 1)
  }

  @Test func `hooks keep neither task nor session`() async throws {
    weak var kept: SessionTask?
    weak var session: URLSessionManager?
    do {
      let mine = URLSessionManager()
      mine.completionQueue = .global()
      mine.onResponse = { _, _ in .allow }
      mine.onData = { _, _ in }
      let end = await mine.end(of: Request(url: server.url("/get")))
      (kept, session) = (end.task, mine)
      #expect(kept != nil && session != nil)
    }
    try await eventually { kept == nil && session == nil }
  }
}

/// How a task with a completion ended.
struct TaskEnd: Sendable {
  var task: SessionTask
  var response: Response?
  var object: (any Sendable)?
  var error: MartletError?
}

extension URLSessionManager {
  /// Makes a task with a completion, resumes it, and waits for its end.
  func end(of request: Request) async -> TaskEnd {
    let made = Locked<SessionTask?>(nil)
    let (response, object, error) = await withCheckedContinuation {
      (done: CheckedContinuation<(Response?, (any Sendable)?, MartletError?), Never>) in
      let task = dataTask(with: request) { done.resume(returning: ($0, $1, $2)) }
      made.withLock { $0 = task }
      task.resume()
    }
    guard let task = made.current else { preconditionFailure("the task was made above") }
    return TaskEnd(task: task, response: response, object: object, error: error)
  }
}
