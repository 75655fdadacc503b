import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// What a task is, and what can be done to it.
@Suite(.timeLimit(.minutes(5)))
struct SessionTaskTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()

  init() async throws {
    server = try await LoopbackServer.start()
  }

  @Test(.covers("SES-T4"))
  func `a task does nothing until it is resumed`() async throws {
    let done = Locked(false)
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in
      done.withLock { $0 = true }
    }
    #expect(task.state == .suspended)
    _ = try await session.send(Request(url: server.url("/get")))
    #expect(server.requestCount == 1)
    #expect(!done.current)
    task.resume()
    try await eventually { done.current }
    #expect(task.state == .completed)
    #expect(task.response?.status == .ok)
    #expect(server.requestCount == 2)
  }

  @Test(.covers("SES-T10"))
  func `tasks can be listed from within a hook`() async throws {
    let listed = Locked<[Int]>([])
    let session = session
    session.onTaskCompletion = { [weak session] task, _ in
      listed.withLock { $0 = session?.tasks.map(\.taskIdentifier) ?? [] }
    }
    let waiting = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    task.resume()
    try await eventually { !listed.current.isEmpty }
    #expect(listed.current == [waiting.taskIdentifier])
    waiting.cancel()
  }

  @Test(.covers("SES-T1", "SES-T2", "SES-T9", "SES-L4"))
  func `tasks have numbers of their own, and are listed while they are not over`()
    async throws
  {
    let first = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    let second = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    #expect(first.taskIdentifier != second.taskIdentifier)
    #expect(session.tasks.map(\.taskIdentifier) == [first.taskIdentifier, second.taskIdentifier])
    first.resume()
    try await eventually { first.state == .completed }
    #expect(session.tasks.map(\.taskIdentifier) == [second.taskIdentifier])
    second.cancel()
    try await eventually { session.tasks.isEmpty }
  }

  @Test func `a suspended task stops reading within one buffer, and goes on when it is resumed`()
    async throws
  {
    let rest = ByteBuffer(repeating: 0x2A, count: 8 << 20)
    let isHeld = AwaitableValue(false)
    let route = ServerRoute.get("/held") { _ in
      ServerResponse(
        body: .producer(length: rest.readableBytes + 1) { write in
          try await write(ByteBuffer(string: "*"))
          try await isHeld.wait { $0 }
          try await write(rest)
        })
    }
    let server = try await LoopbackServer.start(router: ServerRouter([route]))
    let task = session.dataTask(with: Request(url: server.url("/held"))) { _, _, _ in }
    task.resume()
    try await eventually { task.call.downloadTransfer.completed == 1 }
    task.suspend()
    #expect(task.state == .suspended)
    isHeld.update { $0 = true }
    try await Task.sleep(for: .milliseconds(500))
    #expect(task.call.downloadTransfer.completed <= 1 + (256 << 10))
    #expect(task.state == .suspended)
    task.resume()
    #expect(task.state == .running)
    try await eventually { task.state == .completed }
    #expect(task.response?.body.bytes?.readableBytes == 1 + (8 << 20))
    await server.stop()
  }

  @Test(arguments: [true, false])
  func `a task that is answered in-process is held, and then goes on or is cancelled`(
    cancelled: Bool
  ) async throws {
    let answers = AwaitableValue(false)
    let session = URLSessionManager(
      transport: InProcessTransport { request in
        try await answers.wait { $0 }
        return Response(
          head: ResponseHead(status: .ok), url: request.url,
          body: ResponseBody(bytes: ByteBuffer(string: "{}")))
      })
    let task = session.dataTask(with: try Request(.get, "http://in.process/")) { _, _, _ in }
    let handled = Locked(false)
    task.call.observe { event in
      if case .sending = event.kind { handled.withLock { $0 = true } }
    }
    task.resume()
    try await eventually { handled.current }
    task.suspend()
    answers.update { $0 = true }
    for _ in 0..<100 { await Task.yield() }
    #expect(task.state == .suspended)
    #expect(task.call.downloadTransfer.completed == 0)
    if cancelled { task.cancel() } else { task.resume() }
    try await eventually { task.state == .completed }
    #expect(task.error?.code == (cancelled ? .cancelled : nil))
    #expect(task.call.downloadTransfer.completed == (cancelled ? 0 : 2))
  }

  @Test(.covers("SES-C11"), arguments: [true, false])
  func `a cancelled task completes with an error, begun or not`(begun: Bool) async throws {
    let error = Locked<MartletError?>(nil)
    let task = session.dataTask(with: Request(url: server.url("/delay/10"))) { _, object, failure in
      #expect(object == nil)
      error.withLock { $0 = failure }
    }
    if begun { task.resume() }
    task.cancel()
    try await eventually { error.current != nil }
    #expect(error.current?.code == .cancelled)
    #expect(task.state == .completed)
    #expect(task.error?.code == .cancelled)
    #expect(session.tasks.isEmpty)
  }

  @Test(.covers("SES-C10", "RES-E3"))
  func `object and error come together when a server explains its 404`() async throws {
    let scripted = try await ScriptedServer.start(.json("{\"reason\":\"gone\"}", status: 404))
    let outcome = Locked<(String?, MartletError.Code?)?>(nil)
    session.dataTask(with: Request(url: scripted.url())) { response, object, error in
      outcome.withLock { $0 = ((object as? JSON)?["reason"]?.stringValue, error?.code) }
      #expect(response?.status == .notFound)
    }.resume()
    try await eventually { outcome.current != nil }
    #expect(outcome.current?.0 == "gone")
    #expect(outcome.current?.1 == .unacceptableStatusCode)
    await scripted.stop()
  }

  @Test(.covers("SES-C8"))
  func `completions run on the queue that was set`() async throws {
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "completions")
    queue.setSpecific(key: key, value: "here")
    session.completionQueue = queue
    let place = Locked<String?>(nil)
    session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in
      place.withLock { $0 = DispatchQueue.getSpecific(key: key) ?? "elsewhere" }
    }.resume()
    try await eventually { place.current != nil }
    #expect(place.current == "here")
  }

  @Test(.covers("T-SES-08", "SES-P3"))
  func `the upload's progress object reaches 1`() async throws {
    let body = RequestBody.text(String(repeating: "x", count: 20_000))
    let task = session.dataTask(with: Request(.post, url: server.url("/post"), body: body)) {
      _, _, _ in
    }
    let progress = task.uploadProgress
    task.resume()
    _ = try await task.value
    #expect(progress.fractionCompleted == 1)
    #expect(progress.totalUnitCount == 20_000)
  }

  @Test(.covers("T-SES-01", "SES-P2"))
  func `the download's progress closure sees the fraction grow to 1`() async throws {
    session.responseSerializer = HTTPResponseSerializer()
    let seen = Locked<[Double]>([])
    let task = session.dataTask(
      with: Request(url: server.url("/bytes/3000000")),
      downloadProgress: { progress in seen.withLock { $0.append(progress.fractionCompleted) } },
      completion: { _, _, _ in })
    task.resume()
    // A late call shows what has come meanwhile, so that several may show the end.
    try await eventually { seen.current.last == 1 && seen.current.count > 2 }
    let fractions = seen.current
    #expect(fractions == fractions.sorted())
  }

  @Test(.covers("SES-P7"))
  func `a download of unknown length stays at 0`() async throws {
    let task = session.dataTask(with: Request(url: server.url("/stream-bytes/100000"))) { _, _, _ in
    }
    let progress = task.downloadProgress
    task.resume()
    _ = try await task.value
    #expect(progress.fractionCompleted == 0)
    #expect(progress.completedUnitCount == 100_000)
  }

  @Test func `progress is reported before the end`() async throws {
    session.responseSerializer = HTTPResponseSerializer()
    session.completionQueue = .global()
    for _ in 0..<20 {
      let last = Locked(0.0)
      let atEnd: Double = await withCheckedContinuation { done in
        session.dataTask(
          with: Request(url: server.url("/bytes/100000")),
          downloadProgress: { progress in
            usleep(1000)
            last.withLock { $0 = progress.fractionCompleted }
          },
          completion: { _, _, _ in done.resume(returning: last.current) }
        ).resume()
      }
      #expect(atEnd == 1)
    }
  }

  @Test func `a task that is cancelled before it began reaches no transport`() async throws {
    let sent = Locked(0)
    let session = URLSessionManager(
      transport: InProcessTransport { request in
        sent.withLock { $0 += 1 }
        return Response(head: ResponseHead(status: .ok), url: request.url)
      })
    for _ in 0..<50 {
      let error: MartletError? = await withCheckedContinuation { done in
        let task = session.dataTask(with: Request(url: server.url("/"))) { _, _, error in
          done.resume(returning: error)
        }
        task.cancel()
      }
      #expect(error?.code == .cancelled)
    }
    #expect(sent.current == 0)
  }

  @Test(arguments: [true, false])
  func `cancelling reaches an interceptor that sleeps, and a transport of one's own`(step: Bool)
    async throws
  {
    struct Sleep: Interceptor {
      func send(_ request: Request, next: Next) async throws -> Response {
        try await Task.sleep(for: .seconds(60))
        return try await next.send(request)
      }
    }
    var configuration = SessionConfiguration()
    if step {
      configuration.interceptors.perCall = [Sleep()]
    } else {
      configuration.transport = InProcessTransport { request in
        try await Task.sleep(for: .seconds(60))
        return Response(head: ResponseHead(status: .ok), url: request.url)
      }
    }
    let session = URLSessionManager(configuration: configuration)
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    task.resume()
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    try await eventually { task.state == .completed }
    #expect(task.error?.code == .cancelled)
    // The async form has a task as well, which the session lists.
    let response = Task { [server] in
      try await session.send(Request(url: server.url("/get")))
    }
    try await eventually { session.tasks.count == 1 }
    session.tasks.first?.cancel()
    await #expect {
      try await response.value
    } throws: { ($0 as? MartletError)?.code == .cancelled }
    #expect(server.requestCount == 0)
  }

  @Test func `what a cancelled task was made with can be sent again`() async throws {
    let task = session.dataTask(with: Request(url: server.url("/delay/10"))) { _, _, _ in }
    task.resume()
    try await server.waitForOpenConnections(1)
    task.cancel()
    try await eventually { task.state == .completed }
    for var again in [task.originalRequest, try #require(task.error?.request)] {
      again.url = server.url("/get")
      #expect(try await session.send(again).status == .ok)
    }
  }

  @Test(.covers("SES-L6"))
  func `a task made before its session was invalidated may still begin`() async throws {
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    session.invalidateSession(cancelingTasks: false)
    let late = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    task.resume()
    late.resume()
    try await eventually { task.state == .completed && late.state == .completed }
    #expect(task.response?.status == .ok)
    #expect(late.error?.code == .shutDown)
  }

  @Test(.covers("SES-L6"))
  func `invalidating cancels a task that never began`() async throws {
    let error = Locked<MartletError?>(nil)
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, failure in
      error.withLock { $0 = failure }
    }
    session.invalidateSession(cancelingTasks: true)
    try await eventually { error.current != nil }
    #expect(error.current?.code == .cancelled)
    #expect(task.state == .completed)
    #expect(server.requestCount == 0)
  }

  @Test(.covers("SES-L6"), arguments: [true, false])
  func `an invalidated session takes no more requests`(cancels: Bool) async throws {
    let path = cancels ? "/delay/10" : "/delay/0.2"
    let task = session.dataTask(with: Request(url: server.url(path))) { _, _, _ in }
    task.resume()
    try await server.waitForOpenConnections(1)
    session.invalidateSession(cancelingTasks: cancels)
    await #expect {
      try await session.send(Request(url: server.url("/get")))
    } throws: { ($0 as? MartletError)?.code == .shutDown }
    try await eventually { task.state == .completed }
    #expect(task.error?.code == (cancels ? .cancelled : nil))
  }

  @Test func `a task describes itself`() {
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    #expect(
      task.description
        == "<SessionTask \(task.taskIdentifier): GET \(server.url("/get")) suspended>")
    task.cancel()
  }

  @Test func `a task has a text of the application's own, which the session leaves alone`()
    async throws
  {
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    #expect(task.taskDescription == nil)
    task.taskDescription = "avatar"
    #expect(
      task.description
        == "<SessionTask \(task.taskIdentifier) “avatar”: GET \(server.url("/get")) suspended>")
    task.resume()
    _ = try await task.value
    #expect(task.taskDescription == "avatar")
    task.taskDescription = nil
    #expect(task.taskDescription == nil)
  }

  @Test func `a task's description masks user and password`() throws {
    let request = try Request(.get, "http://ada:secret@h/x?y#z")
    let task = session.dataTask(with: request) { _, _, _ in }
    #expect(
      task.description == "<SessionTask \(task.taskIdentifier): GET http://***@h/x?y#z suspended>")
    task.cancel()
  }
}

extension URLSessionManager {
  /// A session over another transport.
  convenience init(transport: any Transport) {
    var configuration = SessionConfiguration()
    configuration.transport = transport
    self.init(configuration: configuration)
  }
}
