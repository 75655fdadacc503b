import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// What is posted about tasks.
@Suite(.timeLimit(.minutes(5)))
struct NotificationTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()

  init() async throws {
    server = try await .start()
  }

  private func dataTask(_ path: String = "/delay/1") -> SessionTask {
    session.dataTask(with: Request(url: server.url(path))) { _, _, _ in }
  }

  private func uploadTask() -> SessionTask {
    session.uploadTask(with: Request(.post, url: server.url("/delay/1")), from: Data()) { _, _, _ in
    }
  }

  private func downloadTask() -> SessionTask {
    session.downloadTask(with: Request(url: server.url("/delay/1"))) { _, _, _ in }
  }

  @Test(
    .covers(
      "SES-N1", "SES-N2", "SES-N3", "SES-N4", "T-SES-09", "T-SES-10", "T-SES-13", "T-SES-14",
      "T-SES-17", "T-SES-18"),
    arguments: [SessionTask.Kind.data, .upload, .download])
  func `a task that is resumed, suspended and resumed posts each change`(kind: SessionTask.Kind)
    async throws
  {
    let task =
      switch kind {
      case .data: dataTask()
      case .upload: uploadTask()
      case .download: downloadTask()
      }
    let posted = Posts(about: task)
    task.resume()
    task.resume()
    task.suspend()
    task.suspend()
    task.resume()
    try await eventually { posted.names.count >= 3 }
    #expect(
      posted.names.prefix(3) == [
        .sessionTaskDidResume, .sessionTaskDidSuspend, .sessionTaskDidResume,
      ])
    #expect(posted.areOnMainQueue)
    task.cancel()
  }

  @Test(.covers("SES-N6", "SES-C6", "SES-C2", "SES-C3", "SES-C5", "SES-C15"))
  func `the end is posted once, behind the completion, with all that came out`() async throws {
    let returned = Locked(false)
    let task = session.dataTask(with: Request(url: server.url("/get?bird=tern"))) { _, _, _ in
      returned.withLock { $0 = true }
    }
    let wasReturned = Locked<Bool?>(nil)
    let posted = Posts(about: task) { _ in wasReturned.withLock { $0 = returned.current } }
    task.resume()
    try await eventually { posted.names.contains(.sessionTaskDidComplete) }
    #expect(posted.names == [.sessionTaskDidResume, .sessionTaskDidComplete])
    #expect(wasReturned.current == true)
    let end = try #require(posted.completions.first)
    #expect((end.serializedResponse as? JSON)?["args"]?["bird"]?.stringValue == "tern")
    #expect(end.responseData.map { $0.count } == task.response?.body.bytes?.readableBytes)
    #expect(end.responseSerializer is JSONResponseSerializer)
    #expect(end.error == nil && end.assetURL == nil)
    #expect((end.metrics?.bytesReceived ?? 0) > 0)
  }

  @Test(.covers("SES-C4", "SES-C6"))
  func `the end of a task that failed is posted with its error`() async throws {
    let task = dataTask("/delay/9")
    let posted = Posts(about: task)
    task.resume()
    task.cancel()
    try await eventually { !posted.completions.isEmpty }
    #expect(posted.completions.map(\.error?.code) == [.cancelled])
    #expect(posted.completions.first?.serializedResponse == nil)
    #expect(posted.completions.first?.responseData == nil)
  }

  @Test(.covers("SES-N5"))
  func `an async call posts nothing`() async throws {
    let posted = Posts(about: nil)
    let url = server.url("/get?\(UUID())")
    _ = try await session.send(Request(url: url))
    let task = dataTask("/get")
    task.resume()
    try await eventually { posted.tasks.contains { $0 === task } }
    #expect(!posted.tasks.contains { $0.originalRequest.url == url })
  }

  @Test(.covers("SES-D5", "T-SES-31"))
  func `a file that has been moved is reported`() async throws {
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("target")
    let task = session.downloadTask(
      with: Request(url: server.url("/bytes/10")), destination: { _, _ in target }
    ) { _, _, _ in }
    let posted = Posts(about: task)
    task.resume()
    try await eventually { !posted.completions.isEmpty }
    #expect(posted.names.contains(.downloadTaskDidMoveFile))
    #expect(posted.completions.map(\.assetURL) == [target])
    #expect(posted.completions.first?.responseData == nil)
  }

  @Test(.covers("SES-D5", "SES-D4", "T-SES-32"))
  func `a file that could not be moved is reported, with the error`() async throws {
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("no/such/folder/target")
    let task = session.downloadTask(
      with: Request(url: server.url("/bytes/10")), destination: { _, _ in target }
    ) { _, _, _ in }
    let posted = Posts(about: task)
    task.resume()
    try await eventually { posted.names.contains(.sessionTaskDidComplete) }
    #expect(posted.names.contains(.downloadTaskDidFailToMoveFile))
    #expect(posted.completions.map(\.error?.code) == [.fileNotWritable, .fileNotWritable])
  }
}

/// The notifications about one task, or about all.
private final class Posts: Sendable {
  private struct Post {
    var name: Notification.Name
    var task: SessionTask?
    var completion: SessionTaskCompletion?
    var isMain: Bool
  }

  private static let mainQueue = DispatchSpecificKey<Void>()

  private let posts = Locked<[Post]>([])
  /// Unchecked: the tokens are only handed back, once, at the end.
  nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

  init(
    about task: SessionTask?, atEnd: @escaping @Sendable (SessionTaskCompletion) -> Void = { _ in }
  ) {
    let names: [Notification.Name] = [
      .sessionTaskDidResume, .sessionTaskDidSuspend, .sessionTaskDidComplete,
      .downloadTaskDidMoveFile, .downloadTaskDidFailToMoveFile,
    ]
    DispatchQueue.main.setSpecific(key: Self.mainQueue, value: ())
    let posts = posts
    tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: task, queue: nil) {
        note in
        let completion = note.sessionTaskCompletion
        if name == .sessionTaskDidComplete, let completion { atEnd(completion) }
        let post = Post(
          name: name, task: note.object as? SessionTask, completion: completion,
          isMain: DispatchQueue.getSpecific(key: Self.mainQueue) != nil)
        posts.withLock { $0.append(post) }
      }
    }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  var names: [Notification.Name] { posts.current.map(\.name) }
  var tasks: [SessionTask] { posts.current.compactMap(\.task) }
  var areOnMainQueue: Bool { posts.current.allSatisfy(\.isMain) }
  var completions: [SessionTaskCompletion] { posts.current.compactMap(\.completion) }
}
