import EssentialFoundation
import Foundation
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Spinners and bars that follow a task.
@Suite(.timeLimit(.minutes(5)))
struct BindingTests {
  private let server: LoopbackServer
  private let session = URLSessionManager()
  /// Lets the answer of `/held` go.
  private let isLetGo = AwaitableValue(false)

  init() async throws {
    let isLetGo = isLetGo
    let held = ServerRoute.any("/held") { _ in
      try await isLetGo.wait { $0 }
      return .text("{}")
    }
    let half = ServerRoute.get("/half/:kind") { request in
      ServerResponse(
        body: .producer(length: request.parameters["kind"] == "counted" ? 2000 : nil) { write in
          try await write(ByteBuffer(repeating: 0x2A, count: 1000))
          try await isLetGo.wait { $0 }
          try await write(ByteBuffer(repeating: 0x2A, count: 1000))
        })
    }
    server = try await .start(router: ServerRouter([held, half]))
  }

  private func task(_ path: String = "/held") -> SessionTask {
    session.dataTask(with: Request(url: server.url(path))) { _, _, _ in }
  }

  /// A spinner that records its states.
  private final class Spinner: Sendable {
    let told = Locked<[Bool]>([])
    func binding() -> ActivityBinding {
      ActivityBinding { [told] isBusy in told.withLock { $0.append(isBusy) } }
    }
  }

  @Test(.covers("UIX-12", "UIX-13", "UIX-14"))
  func `a spinner follows a task that has not begun through all it does`() async throws {
    let (spinner, task) = (Spinner(), task())
    let binding = spinner.binding()
    binding.bind(to: task)
    try await eventually { spinner.told.current == [false] }
    task.resume()
    try await eventually { spinner.told.current == [false, true] }
    task.suspend()
    try await eventually { spinner.told.current == [false, true, false] }
    task.resume()
    try await eventually { spinner.told.current == [false, true, false, true] }
    isLetGo.update { $0 = true }
    try await eventually { spinner.told.current == [false, true, false, true, false] }
  }

  @Test(.covers("UIX-12"))
  func `a spinner follows a task that is under way, and is left alone by one that is over`()
    async throws
  {
    let (spinner, task) = (Spinner(), task())
    let binding = spinner.binding()
    task.resume()
    binding.bind(to: task)
    try await eventually { spinner.told.current == [true] }
    isLetGo.update { $0 = true }
    try await eventually { spinner.told.current == [true, false] }
    binding.bind(to: task)
    try await onMain()
    #expect(spinner.told.current == [true, false])
  }

  @Test(.covers("UIX-11"))
  func `a spinner follows one task at a time, or none`() async throws {
    let (spinner, one, other) = (Spinner(), task(), task())
    let binding = spinner.binding()
    binding.bind(to: one)
    binding.bind(to: other)
    one.resume()
    other.resume()
    try await eventually { spinner.told.current.last == true }
    one.cancel()
    try await eventually { one.state == .completed }
    try await onMain()
    #expect(spinner.told.current.last == true)
    binding.bind(to: nil)
    other.cancel()
    try await eventually { other.state == .completed }
    try await onMain()
    #expect(spinner.told.current.last == true)
  }

  @Test(
    .covers("UIX-11", "T-UIX-01", "T-UIX-02", "T-UIX-03", "T-UIX-04", "T-UIX-05", "T-UIX-06"))
  func `a binding that is dropped receives no further changes of its task`() async throws {
    let (spinner, task) = (Spinner(), task())
    var binding: ActivityBinding? = spinner.binding()
    binding?.bind(to: task)
    try await eventually { spinner.told.current == [false] }
    try await onMain()
    weak let dropped = binding
    binding = nil
    #expect(dropped == nil)
    task.resume()
    task.suspend()
    task.resume()
    isLetGo.update { $0 = true }
    try await eventually { task.state == .completed }
    try await onMain()
    #expect(spinner.told.current == [false])
  }

  @Test(.covers("UIX-14", "UIX-15", "UIX-16"))
  func `a bar shows the part of a download that is through, to the end`() async throws {
    let shown = Locked<[Double]>([])
    let binding = ProgressBinding { fraction in shown.withLock { $0.append(fraction) } }
    let task = task("/half/counted")
    binding.bindToDownload(of: task)
    task.resume()
    try await eventually { shown.current.last == 0.5 }
    isLetGo.update { $0 = true }
    try await eventually { shown.current.last == 1 }
    #expect(shown.current == shown.current.sorted())
  }

  @Test(.covers("UIX-15"))
  func `a bar is left alone while the total is unknown`() async throws {
    let binding = ProgressBinding { _ in Issue.record("there is nothing to show") }
    let task = task("/half/uncounted")
    binding.bindToDownload(of: task)
    isLetGo.update { $0 = true }
    task.resume()
    try await eventually { task.state == .completed }
    try await onMain()
    #expect(task.countOfBytesReceived == 2000)
  }

  @Test(.covers("UIX-15"))
  func `a bar shows the part of an upload that is through`() async throws {
    let shown = Locked<[Double]>([])
    let binding = ProgressBinding { fraction in shown.withLock { $0.append(fraction) } }
    isLetGo.update { $0 = true }
    let task = session.uploadTask(
      with: Request(.post, url: server.url("/held")), from: Data(count: 100_000)
    ) { _, _, _ in }
    binding.bindToUpload(of: task)
    task.resume()
    try await eventually { shown.current.last == 1 }
    #expect(shown.current.allSatisfy { (0...1).contains($0) })
  }

  @Test(.covers("UIX-15", "UIX-16"))
  func `a bar follows one task at a time, and none that is over`() async throws {
    let shown = Locked<[Double]>([])
    let binding = ProgressBinding { fraction in shown.withLock { $0.append(fraction) } }
    isLetGo.update { $0 = true }
    let (one, other) = (task("/half/counted"), task())
    binding.bindToDownload(of: one)
    binding.bindToDownload(of: other)
    one.resume()
    try await eventually { one.state == .completed }
    try await onMain()
    #expect(shown.current == [])
    binding.bindToDownload(of: one)
    other.resume()
    try await eventually { shown.current == [1] }
  }

  /// Returns when the main queue has done what it had to do.
  private func onMain() async throws {
    for _ in 0..<3 {
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }
  }
}
