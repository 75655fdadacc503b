import EssentialFoundation
import HTTPTypes
import Synchronization

/// Reporting the events of a call.
extension Call {
  /// Counts bytes of the response's body that were not reported in an event.
  package func count(received bytes: Int) {
    download.add(bytes, of: Int64(bytes))
  }

  /// Begins anew: an application may give the same call to several tasks, one after the other.
  package func beginTask() {
    hasEnded.store(false, ordering: .relaxed)
  }

  /// Counts the bytes that the event reports, and calls the listeners.
  public func report(_ kind: CallEvent.Kind) {
    // An attempt has one end, whatever ends it first: the transport, or the task.
    if kind.endsAttempt, !isAttemptOpen.exchange(false, ordering: .relaxed) { return }
    count(kind)
    let isObserved = observed.load(ordering: .relaxed) != 0
    guard case .taskCompleted(let error) = kind else {
      if isObserved { notifyListeners(of: kind, by: self) }
      // The progress of the call is that of the first request.
      if let parent, kind.topic != .progress { parent.notifyListeners(of: kind, by: self) }
      return
    }
    if isObserved {
      // A cancelled task may complete before the transport has ended its attempts.
      for call in [self] + hedges where call.isAttemptOpen.exchange(false, ordering: .relaxed) {
        notifyListeners(of: .attemptFailed(error ?? .cancelled), by: call)
      }
      notifyListeners(of: kind, by: self)
    }
    hasEnded.store(true, ordering: .relaxed)
  }

  /// Calls the listeners for the event's topic, unless the task has ended.
  ///
  /// - Parameters:
  ///   - kind: The event.
  ///   - call: The call that it happens to: this one, or its second request.
  private func notifyListeners(of kind: CallEvent.Kind, by call: Call) {
    let observed = CallEvent.Topics(rawValue: observed.load(ordering: .relaxed))
    let topic = kind.topic
    guard observed.contains(topic), !hasEnded.load(ordering: .relaxed) else { return }
    let time = ContinuousClock.now
    let connection = call.connection.load(ordering: .relaxed)
    if case .attemptStarted(let request) = kind {
      call.state.withLock { $0.noteAttempt(request, at: time) }
    }
    let listeners = state.withLock { $0.currentListeners() }
    let event = CallEvent(
      kind: kind, time: time, call: call, attempt: call.attemptCount,
      connectionID: connection == 0 ? nil : connection)
    for listener in listeners where listener.wants(topic) { listener.receive(event) }
  }

  private func count(_ kind: CallEvent.Kind) {
    switch kind {
    case .attemptStarted: beginAttempt()
    case .retrying:
      connection.store(0, ordering: .relaxed)
      lastResponse.store(0, ordering: .relaxed)
    case .responseReceived(let head):
      lastResponse.store(UInt16(clamping: head.status.code), ordering: .relaxed)
    case .sending(_, let info, _):
      connection.store(info?.id ?? 0, ordering: .relaxed)
      upload.reset()
      download.reset()
    case .bodySent(let bytes, let total): upload.add(bytes, of: total)
    case .downloadResumed(let offset, let total): download.begin(at: offset, of: total)
    case .bodyReceived(let bytes, let total): download.add(bytes, of: total)
    default: break
    }
  }

  private func beginAttempt() {
    // The attempts of a second request are numbered together with those of the first.
    if let parent {
      let number = parent.attempts.add(1, ordering: .relaxed).newValue
      attempts.store(number, ordering: .relaxed)
    } else {
      attempts.add(1, ordering: .relaxed)
    }
    isAttemptOpen.store(true, ordering: .relaxed)
    connection.store(0, ordering: .relaxed)
    lastResponse.store(0, ordering: .relaxed)
  }
}

extension CallEvent.Kind {
  fileprivate var endsAttempt: Bool {
    switch self {
    case .attemptFinished, .attemptFailed: true
    default: false
    }
  }
}
