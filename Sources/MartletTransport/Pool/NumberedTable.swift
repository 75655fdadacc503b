/// Values by numbers, in the order of the numbers: what a pool keeps of its connections.
///
/// They are few, and each request looks several of them up: a search in an array takes less time than the hash of a dictionary.
struct NumberedTable<Value> {
  private(set) var entries: [(number: Int, value: Value)] = []

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var values: [Value] { entries.map(\.value) }

  subscript(number: Int) -> Value? {
    get {
      let place = place(of: number)
      return holds(number, at: place) ? entries[place].value : nil
    }
    set {
      let place = place(of: number)
      switch (newValue, holds(number, at: place)) {
      case (let value?, true): entries[place].value = value
      case (let value?, false): entries.insert((number, value), at: place)
      case (nil, true): entries.remove(at: place)
      case (nil, false): break
      }
    }
  }

  /// Removes and returns the value of a number.
  mutating func removeValue(forKey number: Int) -> Value? {
    let place = place(of: number)
    return holds(number, at: place) ? entries.remove(at: place).value : nil
  }

  private func holds(_ number: Int, at place: Int) -> Bool {
    place < entries.count && entries[place].number == number
  }

  /// The place of the first number that is not less.
  private func place(of number: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
