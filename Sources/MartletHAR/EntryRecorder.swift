import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletEssentials
import NIOCore

/// Records the attempts of one call as entries of an archive.
final class EntryRecorder: CallObserver {
  private struct State {
    /// The attempts under way, by their calls: one, or two when a slow request was sent a second time.
    var attempts: [ObjectIdentifier: (attempt: RecordedAttempt, number: Int)] = [:]
    /// The number of the entry that the body of the call's response belongs to.
    var bodyEntry: Int?
    var body = RecordedBody()
    /// Whether an entry has the error of the call.
    var hasFailure = false
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

  var topics: CallEvent.Topics { [.task, .attempts, .messages, .bodies] }

  func receive(_ event: CallEvent) {
    switch event.kind {
    case .attemptStarted(let request): begin(request, event)
    case .sending(let request, let connection, _):
      update(event) { $0.begin(sending: request, over: connection) }
    case .responseReceived(let head): receive(head, event)
    case .attemptFinished(let metrics): end(event) { $0.finish(metrics) }
    case .attemptFailed(let error):
      end(event) { $0.fail(error, at: event.time) }
      state.withLock { $0.hasFailure = true }
    case .cacheUsed(let status, let head?) where status.isHit: addStored(head, status)
    case .taskCompleted(let error): finish(error)
    default: break
    }
  }

  func receive(bytes: ByteBuffer) {
    state.withLock { $0.body.append(bytes, upTo: options.bodyLimit) }
  }

  // MARK: Attempts

  private func begin(_ request: Request, _ event: CallEvent) {
    let attempt = RecordedAttempt(request, at: event.time)
    let number = archive.add(attempt.entry(options))
    state.withLock { state in
      state.attempts[ObjectIdentifier(event.call)] = (attempt, number)
      state.hasFailure = false
    }
  }

  private func update(_ event: CallEvent, _ change: (inout RecordedAttempt) -> Void) {
    state.withLock { state in
      guard var recorded = state.attempts[ObjectIdentifier(event.call)] else { return }
      change(&recorded.attempt)
      state.attempts[ObjectIdentifier(event.call)] = recorded
    }
  }

  private func receive(_ head: ResponseHead, _ event: CallEvent) {
    update(event) { $0.head = head }
    // The caller's body comes from the cache after a 304, and from several attempts after a 206 that continues one.
    let hasBody = head.status != .notModified && head.status != .partialContent
    state.withLock { state in
      state.bodyEntry = hasBody ? state.attempts[ObjectIdentifier(event.call)]?.number : nil
    }
  }

  private func end(_ event: CallEvent, _ change: (inout RecordedAttempt) -> Void) {
    let recorded = state.withLock { $0.attempts.removeValue(forKey: ObjectIdentifier(event.call)) }
    guard var recorded else { return }
    (recorded.attempt.sent, recorded.attempt.received) = event.call.bodyBytes
    change(&recorded.attempt)
    archive.replace(recorded.number, by: recorded.attempt.entry(options))
  }

  // MARK: The call

  /// Adds an entry for a response that comes from the session's cache.
  private func addStored(_ head: ResponseHead, _ status: CacheStatus) {
    var attempt = RecordedAttempt(request, at: .now)
    attempt.head = head
    attempt.cacheComment = "\(status)"
    let number = archive.add(attempt.entry(options))
    state.withLock { $0.bodyEntry = number }
  }

  /// Adds the body to its entry, and an entry with the error of a call that has failed between two attempts.
  private func finish(_ error: MartletError?) {
    let (number, body, hasFailure) = state.withLock { ($0.bodyEntry, $0.body, $0.hasFailure) }
    if let number {
      archive.update(number) { body.add(to: &$0, isComplete: error == nil, options) }
    }
    guard let error, !hasFailure else { return }
    var attempt = RecordedAttempt(request, at: .now)
    attempt.fail(error, at: .now)
    _ = archive.add(attempt.entry(options))
  }
}
