/// What waits for its turn. It is always taken from the front; where something joins, is decided when it does (IMD-8).
struct WaitingLine<Element: Sendable>: Sendable {
  /// The front, its first element last.
  private var front: [Element] = []
  private var back: [Element] = []

  var count: Int { front.count + back.count }

  mutating func add(_ element: Element, _ prioritization: ImageDownloader.Prioritization) {
    switch prioritization {
    case .fifo: back.append(element)
    case .lifo: front.append(element)
    }
  }

  mutating func next() -> Element? {
    if front.isEmpty { swap(&front, &back); front.reverse() }
    return front.popLast()
  }

  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    front.removeAll(where: isUnwanted)
    back.removeAll(where: isUnwanted)
  }
}
