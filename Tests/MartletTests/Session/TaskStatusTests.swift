import MartletCore
import Testing

@testable import MartletEssentials

/// The transitions of a task's state.
struct TaskStatusTests {
  private let start: SessionTask.Start = { _ in }

  @Test func `what begins a task is handed out once`() {
    var status = TaskStatus(kind: .data, start: start)
    #expect(status.state == .suspended)
    let isResumed = status.resume()
    let (first, second) = (status.takeStart(), status.takeStart())
    #expect(isResumed)
    #expect(first != nil)
    #expect(second == nil)
    let cancellation = status.cancel()
    #expect(cancellation != nil)
    #expect(cancellation?.start == nil)
  }

  @Test func `a task that is cancelled before it begins hands out what begins it, once`() {
    var status = TaskStatus(kind: .data, start: start)
    let cancellation = status.cancel()
    #expect(cancellation?.start != nil)
    let (start, second) = (status.takeStart(), status.cancel())
    #expect(start == nil)
    #expect(second == nil)
  }

  @Test func `closures for the end are handed out once, and none is taken after it`() {
    var status = TaskStatus(kind: .data, start: nil)
    #expect(status.state == .running)
    let added = [status.addCompletionHandler { _ in }, status.addCompletionHandler { _ in }]
    status.description = "terns"
    let hasFailed = status.fail(.cancelled)
    let isAddedLate = status.addCompletionHandler { _ in }
    let (first, second) = (status.takeCompletionHandlers(), status.takeCompletionHandlers())
    #expect(added == [true, true])
    #expect(hasFailed)
    #expect(!isAddedLate)
    #expect(first.count == 2)
    #expect(second.isEmpty)
    #expect(status.description == "terns")
  }

  @Test func `the work that a cancellation cancels is forgotten at the end`() {
    var status = TaskStatus(kind: .data, start: nil)
    let work = Task<Response, any Error> { throw CancellationError() }
    status.work = work
    #expect(status.work == work)
    let hasFailed = status.fail(.cancelled)
    #expect(hasFailed)
    #expect(status.work == nil)
  }
}
