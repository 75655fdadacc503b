import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletEssentials
import NIOCore

/// Records the attempts of one call as entries of an archive.
final class EntryRecorder: CallObserver {
  private struct State {
    /// The attempt under way.
    var attempt: RecordedAttempt?
    /// The number of the last entry, which the body of the call's response belongs to.
    var lastEntry: Int?
    var body = RecordedBody()
  }

  private let archive: ArchiveEntries
  private let request: Request
  private let options: ArchiveOptions
  private let state = Locked(State())

  init(_ task: SessionTask, _ archive: ArchiveEntries, _ options: ArchiveOptions) {
    self.archive = archive
    self.options = options
    request = task.originalRequest
  }

  var topics: CallEvent.Topics { [.task, .attempts, .messages, .progress, .bodies] }

  func receive(_ event: CallEvent) {
    switch event.kind {
    case .attemptStarted(let request): begin(request, at: event.time)
    case .sending(let request, let connection, _):
      state.withLock { $0.attempt?.begin(sending: request, over: connection) }
    case .bodySent(let bytes, _): state.withLock { $0.attempt?.sent += Int64(bytes) }
    case .bodyReceived(let bytes, _): state.withLock { $0.attempt?.received += Int64(bytes) }
    case .responseReceived(let head): state.withLock { $0.attempt?.head = head }
    case .attemptFinished(let metrics):
      end { RecordedAttempt.finished($0, metrics) }
    case .attemptFailed(let error): end { RecordedAttempt.failed($0, error, at: event.time) }
    case .cacheUsed(let status, let head?) where status.isHit: addStored(head, status)
    case .taskCompleted(let error): finish(error)
    default: break
    }
  }

  func receive(bytes: ByteBuffer) {
    state.withLock { $0.body.append(bytes, upTo: options.bodyLimit) }
  }

  // MARK: Entries

  private func begin(_ request: Request, at time: ContinuousClock.Instant) {
    let attempt = RecordedAttempt(request, at: time)
    let number = archive.reserve(attempt.entry(options))
    state.withLock { state in
      state.attempt = attempt
      state.lastEntry = number
    }
  }

  private func end(_ outcome: (RecordedAttempt) -> RecordedAttempt) {
    let (attempt, number) = state.withLock { ($0.attempt.take(), $0.lastEntry) }
    guard let attempt, let number else { return }
    archive.replace(number, by: outcome(attempt).entry(options))
  }

  /// Adds an entry for a response that comes from the session's cache.
  private func addStored(_ head: ResponseHead, _ status: CacheStatus) {
    var attempt = RecordedAttempt(request, at: .now)
    attempt.head = head
    attempt.cacheComment = "\(status)"
    let number = archive.reserve(attempt.entry(options))
    state.withLock { $0.lastEntry = number }
  }

  /// Adds the body to the last entry, and the error of a call that has sent nothing.
  private func finish(_ error: MartletError?) {
    let (number, body) = state.withLock { ($0.lastEntry, $0.body) }
    if let number { return archive.update(number) { body.add(to: &$0, upTo: options.bodyLimit) } }
    guard let error else { return }
    let attempt = RecordedAttempt(request, at: .now)
    _ = archive.reserve(RecordedAttempt.failed(attempt, error, at: .now).entry(options))
  }
}
