import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// Tasks for the sake of a request's body.
@Suite(.timeLimit(.minutes(5)))
struct UploadTaskTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()

  init() async throws {
    server = try await .start()
    session.completionQueue = .global()
  }

  @Test(.covers("SES-P3", "SES-P5", "T-SES-07"))
  func `a file is sent, with progress up to the whole`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    try Data(repeating: 0x61, count: 300_000).write(to: file)
    let fractions = Locked<[Double]>([])
    let echoed = try await withCheckedThrowingContinuation { done in
      do {
        let task = try session.uploadTask(
          with: Request(.post, url: server.url("/post")), fromFile: file
        ) { progress in
          fractions.withLock { $0.append(progress.fractionCompleted) }
        } completion: { response, object, error in
          done.resume(with: Result { try Outcome(response, object, error) })
        }
        #expect(task.kind == .upload)
        #expect(session.uploadTasks.map(\.taskIdentifier) == [task.taskIdentifier])
        #expect(session.dataTasks.isEmpty && session.downloadTasks.isEmpty)
        task.resume()
      } catch {
        done.resume(throwing: error)
      }
    }
    #expect(echoed.json?["headers"]["Content-Length"] == "300000")
    #expect(fractions.current.last == 1)
  }

  @Test(.covers("SES-T6"), arguments: [nil, Data(), Data("tern".utf8)])
  func `data is sent, and none is an empty body`(_ data: Data?) async throws {
    let echoed = try await withCheckedThrowingContinuation { done in
      session.uploadTask(with: Request(.post, url: server.url("/post")), from: data) {
        response, object, error in
        done.resume(with: Result { try Outcome(response, object, error) })
      }.resume()
    }
    #expect(echoed.json?["data"] == .string(data.map { String(decoding: $0, as: UTF8.self) } ?? ""))
  }

  @Test(arguments: [(1000, false), (1001, true), (nil, true)])
  func `leave is asked for a body above a size, or of unknown size`(size: Int?, isAsked: Bool)
    async throws
  {
    var configuration = SessionConfiguration()
    configuration.expectContinueThreshold = 1000
    let session = URLSessionManager(configuration: configuration)
    let bytes = ByteBuffer(repeating: 0x61, count: size ?? 10)
    let body =
      size == nil
      ? RequestBody.producer(length: nil) { write in try await write(bytes) } : .bytes(bytes)
    let heard = Locked(false)
    var request = Request(.post, url: server.url("/post"), body: body)
    let call = Call()
    call.observe { event in
      if case .informationalResponse(let head) = event.kind, head.status == .continue {
        heard.withLock { $0 = true }
      }
    }
    request.call = call
    #expect(try await session.send(request).status == .ok)
    #expect(heard.current == isAsked)
  }

  @Test func `a request with a stream of its own is sent as it is`() async throws {
    let body = RequestBody.producer(length: nil) { write in
      for part in ["arctic ", "tern"] { try await write(ByteBuffer(string: part)) }
    }
    let echoed = try await withCheckedThrowingContinuation { done in
      session.uploadTask(
        withStreamedRequest: Request(.post, url: server.url("/post"), body: body)
      ) { response, object, error in
        done.resume(with: Result { try Outcome(response, object, error) })
      }.resume()
    }
    #expect(echoed.json?["data"] == "arctic tern")
  }

  @Test(.covers("SES-P3"), arguments: [false, true])
  func `bytes and streams are sent with progress up to the whole`(_ isStream: Bool) async throws {
    let bytes = ByteBuffer(repeating: 0x61, count: 300_000)
    let url = server.url("/post")
    let sent = Locked<[Int64]>([])
    let note: URLSessionManager.ProgressHandler = { progress in
      sent.withLock { $0.append(progress.completedUnitCount) }
    }
    let echoed = try await withCheckedThrowingContinuation { done in
      let completion: URLSessionManager.Completion = { response, object, error in
        done.resume(with: Result { try Outcome(response, object, error) })
      }
      let task =
        isStream
        ? session.uploadTask(
          withStreamedRequest: Request(
            .post, url: url, body: .producer(length: 300_000) { try await $0(bytes) }),
          progress: note, completion: completion)
        : session.uploadTask(
          with: Request(.post, url: url), from: Data(bytes.readableBytesView), progress: note,
          completion: completion)
      task.resume()
    }
    #expect(echoed.json?["headers"]["Content-Length"] == "300000")
    #expect(sent.current.last == 300_000)
    #expect(sent.current == sent.current.sorted())
  }

  @Test(.covers("SES-T5"))
  func `a file that is not there makes no task`() throws {
    let missing = URL(fileURLWithPath: "/nowhere/body")
    let error = #expect(throws: MartletError.self) {
      try session.uploadTask(with: Request(.post, url: server.url("/post")), fromFile: missing) {
        _, _, _ in
      }
    }
    #expect(error?.code == .fileNotReachable)
    #expect(session.tasks.isEmpty)
  }

  @Test(.covers("SES-C9"))
  func `a group is entered when a task begins, and left after its completion`() async throws {
    let group = DispatchGroup()
    session.completionGroup = group
    let isCompleted = Locked(false)
    let task = session.dataTask(with: Request(url: server.url("/get"))) { _, _, _ in
      isCompleted.withLock { $0 = true }
    }
    #expect(group.wait(timeout: .now()) == .success)
    task.resume()
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    #expect(isCompleted.current)
  }

  @Test(.covers("SES-P6", "SES-T9"))
  func `the progress of a task is there while it is listed`() async throws {
    let task = session.dataTask(with: Request(url: server.url("/bytes/1000"))) { _, _, _ in }
    let download = try #require(session.downloadProgress(for: task))
    #expect(session.uploadProgress(for: task) != nil)
    #expect(URLSessionManager().downloadProgress(for: task) == nil)
    task.resume()
    _ = try await task.value
    #expect(download.completedUnitCount == 1000)
    #expect(session.downloadProgress(for: task) == nil)
  }
}

/// What a completion was called with, once it is known not to be an error.
struct Outcome: Sendable {
  let response: Response?
  let json: JSON?

  init(_ response: Response?, _ object: (any Sendable)?, _ error: MartletError?) throws {
    if let error { throw error }
    self.response = response
    json = object as? JSON
  }
}
