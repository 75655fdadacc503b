import EssentialFoundation
import MartletCore

/// The downloads of a downloader: which are under way, which wait, and who waits for them. It decides; its downloader
/// does.
///
/// A download is known by its URL, and has a number, so that one that was cancelled is not taken for the next one of
/// the same URL.
struct ImageDownloads<Work: Sendable>: Sendable {
  /// Where a download stands in the queue.
  private struct Entry: Sendable {
    var number: Int
    var url: String
  }

  /// Which of those that wait goes first; what waits already keeps its place.
  var prioritization: ImageDownloader.Prioritization
  private let maximum: Int
  private var tasks: [String: MergedImageTask<Work>] = [:]
  private var queue = DownloadQueue<Entry>()
  /// Those that were started and have not ended: they alone count (in place of IMD-21).
  private var active: Set<Int> = []
  private var lastNumber = 0

  /// - Parameters:
  ///   - maximum: How many may be under way at once, at least 1.
  ///   - prioritization: Which of those that wait goes first.
  init(maximum: Int, prioritization: ImageDownloader.Prioritization) {
    self.maximum = max(maximum, 1)
    self.prioritization = prioritization
  }

  /// The downloads that are waited for.
  var works: [Work] { tasks.values.map(\.work) }

  // MARK: Beginning

  /// Has a caller share the download of a URL, if there is one (IMD-4).
  mutating func join(_ handler: ImageResponseHandler, url: String) -> Work? {
    tasks[url]?.handlers.append(handler)
    return tasks[url]?.work
  }

  /// Takes on a download for its first caller (IMD-7).
  ///
  /// - Parameters:
  ///   - request: What to load.
  ///   - handler: Who waits for it.
  ///   - make: Makes what does it, not started, given the download's number.
  /// - Returns: That, and whether to start it now (IMD-8).
  /// - Throws: What `make` throws; nothing has changed then.
  mutating func add(
    _ request: Request, _ handler: ImageResponseHandler, _ make: (Int) throws(MartletError) -> Work
  ) throws(MartletError) -> (work: Work, isStarted: Bool) {
    lastNumber += 1
    let work = try make(lastNumber)
    let place = Entry(number: lastNumber, url: request.url.absoluteString)
    tasks[place.url] = MergedImageTask(
      number: lastNumber, request: request, work: work, handlers: [handler])
    guard active.count < maximum else {
      queue.add(place, prioritization)
      return (work, false)
    }
    active.insert(lastNumber)
    return (work, true)
  }

  // MARK: Ending

  /// A download is over.
  ///
  /// - Returns: Who waited for it, unless it was cancelled before (IMD-11), and what to start now (IMD-14).
  mutating func finish(_ number: Int, url: String) -> (MergedImageTask<Work>?, next: Work?) {
    active.remove(number)
    let finished = tasks[url]?.number == number ? tasks.removeValue(forKey: url) : nil
    return (finished, next())
  }

  private mutating func next() -> Work? {
    while active.count < maximum, let place = queue.next() {
      guard isWanted(place) else { continue }
      active.insert(place.number)
      return tasks[place.url]?.work
    }
    return nil
  }

  /// Whether what stands in the queue is not cancelled.
  private func isWanted(_ place: Entry) -> Bool {
    tasks[place.url]?.number == place.number
  }

  // MARK: Cancelling

  /// The handlers that were cancelled, and the work that is not needed any more.
  struct Cancellation {
    var handler: ImageResponseHandler
    var request: Request
    var work: Work?
  }

  /// A caller waits no longer. When it was the last, its download is forgotten (IMD-18).
  ///
  /// - Returns: `nil` when there is no such caller (IMD-19).
  mutating func cancel(_ receiptID: UUID, url: String) -> Cancellation? {
    guard let task = tasks[url],
      let index = task.handlers.firstIndex(where: { $0.receiptID == receiptID })
    else { return nil }
    tasks[url]?.handlers.remove(at: index)
    let isLast = task.handlers.count == 1
    if isLast { forget(url) }
    return Cancellation(
      handler: task.handlers[index], request: task.request, work: isLast ? task.work : nil)
  }

  private mutating func forget(_ url: String) {
    tasks[url] = nil
    // Those who were cancelled leave the queue when it is their turn, or when they are too many.
    guard queue.count > 2 * tasks.count + 16 else { return }
    queue.removeAll { [tasks] in tasks[$0.url]?.number != $0.number }
  }
}

/// One download, and all who wait for it.
struct MergedImageTask<Work: Sendable>: Sendable {
  /// Tells it from earlier ones for the same URL.
  let number: Int
  /// The request that it was made for.
  let request: Request
  /// What does it.
  let work: Work
  /// Who waits, in the order in which they came.
  var handlers: [ImageResponseHandler]
}

/// One caller of a download.
struct ImageResponseHandler: Sendable {
  /// Tells the caller from others.
  let receiptID: UUID
  /// Called once, when it is known how the download ended.
  let finish: @Sendable (ImageOutcome) -> Void
}

/// How a download ended.
struct ImageOutcome: Sendable {
  /// The request that was sent: of those who share a download, the first one's (IMD-12).
  var request: Request
  /// The response, if one came; none from the cache of images.
  var response: Response?
  var result: Result<RasterImage, MartletError>
}

/// What waits for its turn. It is always taken from the front; where something joins, is decided when it does (IMD-8).
struct DownloadQueue<Element: Sendable>: Sendable {
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
