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

  /// Removes a task, if it is listed.
  mutating func remove(_ task: SessionTask) {
    guard contains(task) else { return }
    places[task.place] = nil
    free.append(task.place)
    guard count == 0 else { return }
    places.removeAll(keepingCapacity: true)
    free.removeAll(keepingCapacity: true)
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
