import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// Tasks for responses that go into files.
@Suite(.timeLimit(.minutes(5)))
struct DownloadTaskTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()
  private let folder: TemporaryFolder

  init() async throws {
    server = try await .start()
    folder = try TemporaryFolder()
    session.completionQueue = .global()
  }

  @Test(.covers("SES-D2", "SES-C16", "SES-P4", "T-SES-03", "T-HTM-06"))
  func `a file goes where the destination says, with progress up to the whole`() async throws {
    let target = folder.url.appendingPathComponent("target")
    let fractions = Locked<[Double]>([])
    let end = await download("/bytes/200000") { progress in
      fractions.withLock { $0.append(progress.fractionCompleted) }
    } to: { temporary, response in
      #expect(FileManager.default.fileExists(atPath: temporary.path))
      #expect(response.status == .ok)
      return target
    }
    #expect(end.error == nil)
    #expect(end.file == target)
    #expect(try Data(contentsOf: target).count == 200_000)
    #expect(fractions.current.last == 1)
  }

  @Test(.covers("SES-D3", "SES-D7"))
  func `without a destination there is no file, and none stays behind`() async throws {
    let temporary = Locked<URL?>(nil)
    let end = await download("/bytes/1000") { file, _ in
      temporary.withLock { $0 = file }
      return nil
    }
    #expect(end.file == nil && end.error == nil)
    let file = try #require(temporary.current)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(await download("/bytes/1000", to: nil).file == nil)
  }

  @Test func `a file may stay where it is`() async throws {
    let end = await download("/bytes/1000") { file, _ in file }
    let file = try #require(end.file)
    #expect(try Data(contentsOf: file).count == 1000)
    try FileManager.default.removeItem(at: file)
  }

  @Test(.covers("SES-D8", "SES-C10"))
  func `a status that is not acceptable comes with the file`() async throws {
    let target = folder.url.appendingPathComponent("target")
    let end = await download("/status/404") { _, _ in target }
    #expect(end.file == target)
    #expect(end.error?.code == .unacceptableStatusCode)
    #expect(end.response?.status == .notFound)
    #expect(FileManager.default.fileExists(atPath: target.path))
  }

  @Test(.covers("SES-D4", "SES-D6"))
  func `what stands at the destination stays, and is an error`() async throws {
    let target = folder.url.appendingPathComponent("target")
    try Data("old".utf8).write(to: target)
    let end = await download("/bytes/1000") { _, _ in target }
    #expect(end.file == nil)
    #expect(
      end.error?.message
        == "“\(target.path)” exists already: move it away, or choose another name.")
    #expect(try Data(contentsOf: target) == Data("old".utf8))
  }

  @Test(.covers("SES-D4", "SES-D6"))
  func `a folder that is not there is an error, and leaves nothing behind`() async throws {
    let target = folder.url.appendingPathComponent("nowhere/target")
    let temporary = Locked<URL?>(nil)
    let end = await download("/bytes/1000") { file, _ in
      temporary.withLock { $0 = file }
      return target
    }
    #expect(end.error?.code == .fileNotWritable)
    let file = try #require(temporary.current)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(.covers("SES-D1", "SES-D2", "SES-D10", "T-HTM-05"), arguments: [true, false])
  func `the session's hook is asked first where a file goes`(hookKnows: Bool) async throws {
    let (hooked, own) = (
      folder.url.appendingPathComponent("hooked"), folder.url.appendingPathComponent("own")
    )
    session.onDownloadFinished = { task, file in
      #expect(task.kind == .download)
      #expect(FileManager.default.fileExists(atPath: file.path))
      return hookKnows ? hooked : nil
    }
    let asked = Locked(0)
    let end = await download("/bytes/1000") { _, _ in
      asked.withLock { $0 += 1 }
      return own
    }
    #expect(end.error == nil)
    #expect(end.file == (hookKnows ? hooked : own))
    #expect(asked.current == (hookKnows ? 0 : 1))
  }

  @Test
  func `a download is over when its file has its place, and cannot be cancelled or held meanwhile`()
    async throws
  {
    let target = folder.url.appendingPathComponent("target")
    let seen = Locked<SessionTask.State?>(nil)
    session.onDownloadFinished = { task, _ in
      #expect(task.response?.status == .ok)
      #expect(task.metrics != nil)
      task.cancel()
      task.suspend()
      seen.withLock { $0 = task.state }
      return target
    }
    let end = Locked<End?>(nil)
    let task = session.downloadTask(with: Request(url: server.url("/bytes/1000"))) {
      response, file, error in
      end.withLock { $0 = End(response: response, file: file, error: error) }
    }
    task.resume()
    let response = try await task.value
    #expect(seen.current == .running)
    #expect(response.body.file == target)
    #expect(try Data(contentsOf: target).count == 1000)
    try await eventually { end.current != nil }
    #expect(end.current?.file == target)
    #expect(end.current?.error == nil)
  }

  @Test(.covers("SES-D6"))
  func `a download whose file finds no place has failed`() async throws {
    let target = folder.url.appendingPathComponent("target")
    try Data("old".utf8).write(to: target)
    let task = session.downloadTask(
      with: Request(url: server.url("/bytes/1000")), destination: { _, _ in target }
    ) { _, _, _ in }
    task.resume()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .fileNotWritable)
    #expect(task.error?.message == error?.message)
  }

  @Test(.covers("SES-D3"))
  func `the response of a download that goes nowhere has no file`() async throws {
    let task = session.downloadTask(with: Request(url: server.url("/bytes/1000"))) { _, _, _ in }
    task.resume()
    let response = try await task.value
    #expect(response.body.file == nil)
    #expect(response.head.contentLength == 1000)
  }

  @Test func `downloads are listed by their kind`() async throws {
    let task = session.downloadTask(with: Request(url: server.url("/get"))) { _, _, _ in }
    #expect(task.kind == .download)
    #expect(session.downloadTasks.map(\.taskIdentifier) == [task.taskIdentifier])
    #expect(session.dataTasks.isEmpty)
    task.cancel()
    try await eventually { session.downloadTasks.isEmpty }
  }

  private struct End: Sendable {
    let response: Response?
    let file: URL?
    let error: MartletError?
  }

  private func download(
    _ path: String, progress: URLSessionManager.ProgressHandler? = nil,
    to destination: URLSessionManager.DownloadDestination?
  ) async -> End {
    await withCheckedContinuation { done in
      session.downloadTask(
        with: Request(url: server.url(path)), progress: progress, destination: destination
      ) { response, file, error in
        done.resume(returning: End(response: response, file: file, error: error))
      }.resume()
    }
  }
}
