/// The unfinished tasks of a session. Each has a place, which is reused: a dictionary would compute two hashes for each task.
struct TaskTable {
  private var places: [SessionTask?] = []
  private var free: [Int] = []

  /// Adds a task, which `make` makes for a place.
  mutating func add(_ make: (_ place: Int) -> SessionTask) -> SessionTask {
    let place = free.popLast() ?? places.count
    let task = make(place)
    if place == places.count { places.append(task) } else { places[place] = task }
    return task
  }

  /// Removes a task. Returns whether it was listed.
  mutating func remove(_ task: SessionTask) -> Bool {
    guard contains(task) else { return false }
    places[task.place] = nil
    free.append(task.place)
    if count == 0 {
      places.removeAll(keepingCapacity: true)
      free.removeAll(keepingCapacity: true)
    }
    return true
  }

  /// The number of tasks.
  var count: Int { places.count - free.count }

  func contains(_ task: SessionTask) -> Bool {
    places.indices.contains(task.place) && places[task.place] === task
  }

  /// The tasks, in the order in which they were made.
  var tasks: [SessionTask] {
    places.compactMap { $0 }.sorted { $0.taskIdentifier < $1.taskIdentifier }
  }
}
