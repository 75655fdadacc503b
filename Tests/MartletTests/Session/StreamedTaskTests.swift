import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import TestTiming
import Testing

/// The task of a body that is read while it arrives.
@Suite(.timeLimit(.minutes(5)))
struct StreamedTaskTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()

  init() async throws {
    server = try await LoopbackServer.start()
  }

  /// What was sent, and the task that belongs to it.
  private func stream(_ path: String, over session: URLSessionManager? = nil) async throws -> (
    Response, SessionTask
  ) {
    let session = session ?? self.session
    var request = Request(url: server.url(path))
    request.delivery = .stream
    let response = try await session.send(request)
    return (response, try #require(session.tasks.last))
  }

  @Test func `a task is running until its body has been read to the end`() async throws {
    let (response, task) = try await stream("/bytes/100000")
    #expect(task.state == .running)
    #expect(task.response?.status == .ok)
    #expect(try await response.body.collect().readableBytes == 100_000)
    #expect(task.state == .completed)
    #expect(task.error == nil)
    #expect(session.tasks.isEmpty)
  }

  @Test func `progress, metrics and trailers are those of the end`() async throws {
    let (response, task) = try await stream("/bytes/100000")
    let atHead = try #require(task.response?.metrics.bytesReceived)
    _ = try await response.body.collect()
    #expect(task.downloadProgress.fractionCompleted == 1)
    let atEnd = try #require(task.response?.metrics)
    #expect(atEnd.bytesReceived > 100_000)
    #expect(atEnd.bytesReceived > atHead)
    #expect(atEnd.totalDuration == response.metrics.totalDuration)
  }

  @Test(arguments: [true, false])
  func `a body that is dropped ends its task as cancelled`(begun: Bool) async throws {
    var (response, task): (Response?, SessionTask) = try await stream("/stream-bytes/1099511627776")
    if begun {
      var chunks = response?.body.makeAsyncIterator()
      #expect(try await chunks?.next() != nil)
    }
    #expect(task.state == .running)
    response = nil
    #expect(task.state == .completed)
    #expect(task.error?.code == .cancelled)
    #expect(task.error?.request?.url.path == "/stream-bytes/1099511627776")
    #expect(session.tasks.isEmpty)
  }

  @Test func `a body that ends too early fails its task`() async throws {
    let scripted = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"))
    var request = Request(url: scripted.url())
    request.delivery = .stream
    let response = try await session.send(request)
    let task = try #require(session.tasks.first)
    await #expect(throws: MartletError.self) { try await response.body.collect() }
    #expect(task.state == .completed)
    #expect(task.error?.code == .bodyTruncated)
    #expect(session.tasks.isEmpty)
    await scripted.stop()
  }

  @Test func `cancelling a task ends it at once, and the reader of its body`() async throws {
    let (response, task) = try await stream("/stream-bytes/1099511627776")
    var chunks = response.body.makeAsyncIterator()
    #expect(try await chunks.next() != nil)
    task.cancel()
    #expect(task.state == .completed)
    #expect(task.error?.code == .cancelled)
    #expect(session.tasks.isEmpty)
    await #expect {
      while try await chunks.next() != nil {}
    } throws: { ($0 as? MartletError)?.code == .cancelled }
  }

  @Test func `cancelling ends a body of a transport that knows no exchange`() async throws {
    struct Endless: Transport, ResponseBodySource {
      var completion: ResponseBody.Completion? { nil }

      func send(_ request: Request) async throws -> Response {
        Response(
          head: ResponseHead(status: .ok), url: request.url, body: ResponseBody(stream: self))
      }
      func next() async throws -> ByteBuffer? { ByteBuffer(string: "x") }
      func abandon() {}
    }
    let (response, task) = try await stream("/", over: URLSessionManager(transport: Endless()))
    var chunks = response.body.makeAsyncIterator()
    #expect(try await chunks.next() != nil)
    task.cancel()
    await #expect {
      try await chunks.next()
    } throws: { ($0 as? MartletError)?.code == .cancelled }
    #expect(task.state == .completed)
  }

  @Test func `a read that fails because its body was cancelled is cancelled, and so is its task`()
    async throws
  {
    struct Failing: Transport, ResponseBodySource {
      let isRead = AwaitableValue(false)
      let isAbandoned = AwaitableValue(false)
      var completion: ResponseBody.Completion? { nil }

      func send(_ request: Request) async throws -> Response {
        Response(
          head: ResponseHead(status: .ok), url: request.url, body: ResponseBody(stream: self))
      }
      func next() async throws -> ByteBuffer? {
        isRead.update { $0 = true }
        try await isAbandoned.wait { $0 }
        throw MartletError(.connectionLost, "The socket is closed.")
      }
      func abandon() { isAbandoned.update { $0 = true } }
    }
    let transport = Failing()
    let (response, task) = try await stream("/", over: URLSessionManager(transport: transport))
    let reader = Task { try await response.body.collect() }
    try await transport.isRead.wait { $0 }
    response.body.cancel()
    let error = await #expect(throws: MartletError.self) { try await reader.value }
    #expect(error?.code == .cancelled)
    #expect(task.error?.code == .cancelled)
  }

  @Test func `a stream can be held and let go on`() async throws {
    let (response, task) = try await stream("/bytes/100000")
    task.suspend()
    #expect(task.state == .suspended)
    task.resume()
    #expect(task.state == .running)
    #expect(try await response.body.collect().readableBytes == 100_000)
    #expect(task.state == .completed)
  }

  @Test func `invalidating reaches bodies that are still read`() async throws {
    let (response, task) = try await stream("/stream-bytes/1099511627776")
    session.invalidateSession(cancelingTasks: true)
    #expect(task.error?.code == .cancelled)
    await #expect {
      try await response.body.collect()
    } throws: { ($0 as? MartletError)?.code == .cancelled }
  }

  @Test func `a streamed body is made an object of for a completion`() async throws {
    var request = Request(url: server.url("/get?q=terns"))
    request.delivery = .stream
    let outcome = Locked<(state: SessionTask.State?, text: String?)?>(nil)
    let task = Locked<SessionTask?>(nil)
    let made = session.dataTask(with: request) { response, object, _ in
      #expect(response?.status == .ok)
      let text = (object as? JSON)?["args"]?["q"]?.stringValue
      outcome.withLock { $0 = (task.current?.state, text) }
    }
    task.withLock { $0 = made }
    made.resume()
    try await eventually { outcome.current != nil }
    #expect(outcome.current?.text == "terns")
    #expect(outcome.current?.state == .completed)
  }
}
