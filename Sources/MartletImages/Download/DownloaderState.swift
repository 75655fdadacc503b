import EssentialFoundation
import MartletCore

/// The state of a downloader: the running downloads, the waiting downloads, and their callers.
///
/// It makes the decisions, and the downloader carries them out.
///
/// The URL identifies a download. Its number distinguishes it from a cancelled download of the same URL.
struct DownloaderState<Transfer: Sendable>: Sendable {
  /// A download in the queue.
  private struct Entry: Sendable {
    var number: Int
    var url: String
  }

  /// Which of the waiting downloads starts first; those in the queue already keep their places.
  var prioritization: ImageDownloader.Prioritization
  private let maximum: Int
  private var tasks: [String: MergedImageTask<Transfer>] = [:]
  private var queue = DownloadQueue<Entry>()
  /// The downloads that were started and have not ended. Only these count towards the maximum, as IMD-21 recommends.
  private var active: Set<Int> = []
  private var lastNumber = 0

  /// - Parameters:
  ///   - maximum: The maximum number of downloads at once, at least 1.
  ///   - prioritization: Which of the waiting downloads starts first.
  init(maximum: Int, prioritization: ImageDownloader.Prioritization) {
    self.maximum = max(maximum, 1)
    self.prioritization = prioritization
  }

  /// The transfers of all downloads that have callers.
  var transfers: [Transfer] { tasks.values.map(\.transfer) }

  // MARK: Beginning

  /// Adds a caller to the download of a URL, if there is one (IMD-4).
  mutating func join(_ handler: ImageResponseHandler, url: String) -> Transfer? {
    tasks[url]?.handlers.append(handler)
    return tasks[url]?.transfer
  }

  /// Adds a download with its first caller (IMD-7).
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - handler: The first caller.
  ///   - make: Creates the transfer of the download with a given number, without starting it.
  /// - Returns: The transfer, and whether to start it now (IMD-8).
  /// - Throws: The error of `make`; no download is added then.
  mutating func add(
    _ request: Request, _ handler: ImageResponseHandler,
    _ make: (Int) throws(MartletError) -> Transfer
  ) throws(MartletError) -> (transfer: Transfer, isStarted: Bool) {
    lastNumber += 1
    let transfer = try make(lastNumber)
    let entry = Entry(number: lastNumber, url: request.url.absoluteString)
    tasks[entry.url] = MergedImageTask(
      number: lastNumber, request: request, transfer: transfer, handlers: [handler])
    guard active.count < maximum else {
      queue.add(entry, prioritization)
      return (transfer, false)
    }
    active.insert(lastNumber)
    return (transfer, true)
  }

  // MARK: Ending

  /// Removes a download that has ended.
  ///
  /// - Returns: The download with its callers, unless it was cancelled before (IMD-11), and the transfer to start now
  ///   (IMD-14).
  mutating func finish(_ number: Int, url: String) -> (
    MergedImageTask<Transfer>?, next: Transfer?
  ) {
    active.remove(number)
    let finished = tasks[url]?.number == number ? tasks.removeValue(forKey: url) : nil
    return (finished, next())
  }

  private mutating func next() -> Transfer? {
    while active.count < maximum, let entry = queue.next() {
      guard isWanted(entry) else { continue }
      active.insert(entry.number)
      return tasks[entry.url]?.transfer
    }
    return nil
  }

  /// Whether a queued download has not been cancelled.
  private func isWanted(_ entry: Entry) -> Bool {
    tasks[entry.url]?.number == entry.number
  }

  // MARK: Cancelling

  /// The handler that was cancelled, and the transfer if no other caller needs it.
  struct Cancellation {
    var handler: ImageResponseHandler
    var request: Request
    var transfer: Transfer?
  }

  /// Removes a caller, and the download if it was the last caller (IMD-18).
  ///
  /// - Returns: `nil` when there is no such caller (IMD-19).
  mutating func cancel(_ receiptID: UUID, url: String) -> Cancellation? {
    guard let task = tasks[url],
      let index = task.handlers.firstIndex(where: { $0.receiptID == receiptID })
    else { return nil }
    tasks[url]?.handlers.remove(at: index)
    let isLast = task.handlers.count == 1
    if isLast { removeDownload(url) }
    return Cancellation(
      handler: task.handlers[index], request: task.request, transfer: isLast ? task.transfer : nil)
  }

  private mutating func removeDownload(_ url: String) {
    tasks[url] = nil
    // Cancelled downloads leave the queue at their turn, or when there are too many of them.
    guard queue.count > 2 * tasks.count + 16 else { return }
    queue.removeAll { [tasks] in tasks[$0.url]?.number != $0.number }
  }
}

/// One download and its callers.
struct MergedImageTask<Transfer: Sendable>: Sendable {
  /// Distinguishes it from earlier downloads of the same URL.
  let number: Int
  /// The request that is sent.
  let request: Request
  /// The transfer that loads the image.
  let transfer: Transfer
  /// The callers, in the order of their requests.
  var handlers: [ImageResponseHandler]
}

/// One caller of a download.
struct ImageResponseHandler: Sendable {
  /// Identifies the caller.
  let receiptID: UUID
  /// Called once, with the result of the download.
  let finish: @Sendable (ImageOutcome) -> Void
}

/// The result of a download.
struct ImageOutcome: Sendable {
  /// The request that was sent; for a shared download, that of the first caller (IMD-12).
  var request: Request
  /// The response, if one was received; `nil` for a cached image.
  var response: Response?
  var result: Result<RasterImage, MartletError>
}

/// A queue of waiting downloads.
///
/// They are taken from the front. The prioritization decides at which end a download is added (IMD-8).
struct DownloadQueue<Element: Sendable>: Sendable {
  /// The front part, in reverse order.
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
