import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// The `Progress` objects of a task: where they are written, and what they do to the task.
@Suite(.timeLimit(.minutes(5)))
struct TaskProgressTests {
  private let server: LoopbackServer
  private let halves: LoopbackServer
  private let session = URLSessionManager()
  /// Lets the second half of `/` of `halves` go.
  private let isLetGo = AwaitableValue(false)

  init() async throws {
    let isLetGo = isLetGo
    let half = ServerRoute.get("/") { _ in
      ServerResponse(
        body: .producer(length: 2000) { write in
          try await write(ByteBuffer(repeating: 0x2A, count: 1000))
          try await isLetGo.wait { $0 }
          try await write(ByteBuffer(repeating: 0x2A, count: 1000))
        })
    }
    server = try await .start()
    halves = try await .start(router: ServerRouter([half]))
    session.completionQueue = .global()
    session.responseSerializer = HTTPResponseSerializer()
  }

  private func task(_ path: String) -> SessionTask {
    session.dataTask(with: Request(url: server.url(path))) { _, _, _ in }
  }

  /// Reads a count twice: the second time when more has come, if there is more to come.
  private struct TwoReadings: Sendable {
    let isLetGo: AwaitableValue<Bool>
    let isWhole = DispatchSemaphore(value: 0)
    let readings = Locked<[[Int64]]>([])

    func read(_ progress: Progress) {
      let first = progress.completedUnitCount
      if first == 1000 {
        isLetGo.update { $0 = true }
        _ = isWhole.wait(timeout: .now() + 30)
      }
      readings.withLock { $0.append([first, progress.completedUnitCount]) }
    }

    func noteEnd(of task: SessionTask) {
      task.call.observe { [isWhole, weak task] event in
        if case .bodyReceived = event.kind, task?.downloadTransfer.completed == 2000 {
          isWhole.signal()
        }
      }
    }
  }

  @Test(.covers("SES-P2", "SES-P5"))
  func `while a progress closure runs, nothing writes to its object`() async throws {
    let count = TwoReadings(isLetGo: isLetGo)
    let task = session.dataTask(
      with: Request(url: halves.url("/")), downloadProgress: { count.read($0) },
      completion: { _, _, _ in })
    count.noteEnd(of: task)
    task.resume()
    _ = try await task.value
    #expect(count.readings.current.contains([1000, 1000]))
    #expect(count.readings.current.allSatisfy { $0[0] == $0[1] })
    #expect(count.readings.current.last == [2000, 2000])
  }

  @Test(.covers("SES-P2"))
  func `while a hook runs, nothing writes to the task's objects`() async throws {
    let count = TwoReadings(isLetGo: isLetGo)
    session.onData = { task, _ in count.read(task.downloadProgress) }
    let task = session.dataTask(with: Request(url: halves.url("/"))) { _, _, _ in }
    // From now on it is kept up to date.
    _ = task.downloadProgress
    count.noteEnd(of: task)
    task.resume()
    _ = try await task.value
    #expect(count.readings.current.contains([1000, 1000]))
    #expect(count.readings.current.allSatisfy { $0[0] == $0[1] })
  }

  @Test(.covers("SES-P6"))
  func `a task's objects show its end when its value is there`() async throws {
    for _ in 0..<50 {
      let task = task("/bytes/20000")
      let (upload, download) = (task.uploadProgress, task.downloadProgress)
      task.resume()
      _ = try await task.value
      #expect((download.completedUnitCount, download.totalUnitCount) == (20_000, 20_000))
      #expect(upload.completedUnitCount == 0)
      #expect(task.downloadTransfer.completed == 20_000)
    }
  }

  @Test(.covers("SES-P6"))
  func `objects that are asked for when the task is over show its end`() async throws {
    let task = task("/bytes/20000")
    task.resume()
    _ = try await task.value
    #expect(task.downloadProgress.fractionCompleted == 1)
    #expect(task.downloadProgress === task.downloadProgress)
  }

  @Test(.covers("SES-P1", "SES-P6"))
  func `a progress object cancels its task, and calls a handler of the application's`()
    async throws
  {
    let isCalled = Locked(false)
    let task = task("/delay/10")
    task.downloadProgress.cancellationHandler = { isCalled.withLock { $0 = true } }
    task.resume()
    task.downloadProgress.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    try await eventually { isCalled.current }
  }

  @Test(.covers("SES-P1"))
  func `pausing a progress object suspends its task at once, and resuming it lets the task go on`()
    async throws
  {
    let task = session.dataTask(with: Request(url: halves.url("/"))) { _, _, _ in }
    task.resume()
    for _ in 0..<50 {
      task.downloadProgress.pause()
      #expect(task.state == .suspended)
      task.downloadProgress.resume()
      #expect(task.state == .running)
    }
    isLetGo.update { $0 = true }
    #expect(try await task.value.status == .ok)
  }

  @Test(.covers("SES-P1"))
  func `a progress object that is part of another one is cancelled with it`() async throws {
    let task = task("/delay/10")
    let whole = Progress.discreteProgress(totalUnitCount: 1)
    whole.addChild(task.downloadProgress, withPendingUnitCount: 1)
    task.resume()
    whole.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test(.covers("SES-P1"))
  func `a task's progress is no part of the one that is current`() {
    let current = Progress(totalUnitCount: 10)
    current.becomeCurrent(withPendingUnitCount: 10)
    let task = task("/get")
    _ = task.downloadProgress
    current.resignCurrent()
    // What no child has taken counts as done.
    #expect(current.completedUnitCount == 10)
    task.cancel()
  }
}
