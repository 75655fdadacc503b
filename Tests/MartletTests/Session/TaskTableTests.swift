import Foundation
import MartletCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The table of a session's tasks.
struct TaskTableTests {
  private let request: Request

  init() throws {
    request = try Request("http://h/")
  }

  private func task(_ number: Int, at place: Int) -> SessionTask {
    SessionTask(
      taskIdentifier: number, place: place, kind: .data, request: request,
      registry: TaskRegistry(queue: .main, observers: []), hooks: nil,
      wasSessionInvalidated: false, download: nil, start: nil)
  }

  @Test func `it has what a dictionary has, in the order of the numbers`() {
    var (table, model) = (TaskTable(), [Int: SessionTask]())
    for step in 0..<2000 {
      let mixed = (step &* 2_654_435_761) >> 16
      let tasks = table.tasks
      if mixed % 7 < 4 {
        model[step] = table.add { task(step, at: $0) }
      } else if !tasks.isEmpty {
        let removed = tasks[mixed / 7 % tasks.count]
        let (isFirst, isSecond) = (table.remove(removed), table.remove(removed))
        #expect(isFirst && !isSecond)
        model[removed.taskIdentifier] = nil
        #expect(!table.contains(removed))
      }
      #expect(table.count == model.count)
    }
    #expect(table.tasks.map(\.taskIdentifier) == model.keys.sorted())
    #expect(model.values.allSatisfy { table.contains($0) })
  }

  @Test func `a task whose place has another task is not removed with it`() {
    var table = TaskTable()
    let old = table.add { task(1, at: $0) }
    let wasListed = table.remove(old)
    let new = table.add { task(2, at: $0) }
    #expect(new.place == old.place)
    let isStillListed = table.remove(old)
    #expect(wasListed && !isStillListed)
    #expect(table.contains(new) && !table.contains(old))
  }
}
