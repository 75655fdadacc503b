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

  /// Counts what the event reports, and calls the observers.
  public func report(_ kind: CallEvent.Kind) {
    switch kind {
    case .attemptStarted(let request): beginAttempt(request)
    case .attemptFinished(let metrics): finishAttempt(metrics)
    case .attemptFailed(let error): failAttempt(error)
    case .taskCompleted(let error): endTask(error)
    case .sending(let request, let info, let isReused):
      beginSending(request, over: info, isConnectionReused: isReused)
    case .responseReceived(let head): receive(head)
    default:
      count(kind)
      if isObserved, mayNotify(of: kind.topic) { notify(kind) }
    }
  }

  // What every request reports has functions of its own, which make an event only for observers.

  /// Reports `sending`.
  package func beginSending(
    _ request: Request, over info: ConnectionInfo?, isConnectionReused: Bool
  ) {
    connection.store(info?.id ?? 0, ordering: .relaxed)
    upload.reset()
    download.reset()
    guard isObserved, mayNotify(of: .messages) else { return }
    notify(.sending(request, over: info, isConnectionReused: isConnectionReused))
  }

  /// Reports `responseReceived`.
  package func receive(_ head: ResponseHead) {
    lastStatus.store(UInt16(clamping: head.status.code), ordering: .relaxed)
    guard isObserved, mayNotify(of: .messages) else { return }
    notify(.responseReceived(head))
  }

  // MARK: Attempts

  /// Reports `attemptStarted`.
  package func beginAttempt(_ request: Request) {
    // The attempts of a second request are numbered together with those of the first.
    let number = (parent ?? self).attempts.add(1, ordering: .relaxed).newValue
    attempt.store(number, ordering: .relaxed)
    openAttempts.add(1, ordering: .relaxed)
    forgetResponse()
    upload.reset()
    download.reset()
    guard isObserved else { return }
    let time = EventTime.now
    _ = state.withLock { $0.note(request, at: time) }
    notify(.attemptStarted(request), at: time)
  }

  /// Reports `attemptFinished`, unless the attempt has ended before.
  package func finishAttempt(_ metrics: ExchangeMetrics) {
    guard closeAttempt(), isObserved else { return }
    var metrics = metrics
    // A transport of the application may count in events only.
    metrics.bodyBytesReceived = max(metrics.bodyBytesReceived, download.count)
    notify(.attemptFinished(metrics))
  }

  /// Reports `attemptFailed`, unless the attempt has ended before.
  package func failAttempt(_ error: @autoclosure () -> MartletError) {
    guard closeAttempt(), isObserved else { return }
    notify(.attemptFailed(error()))
  }

  /// Returns whether an attempt was open. It has one end, whatever ends it first: the transport, or the task.
  private func closeAttempt() -> Bool {
    var open = openAttempts.load(ordering: .relaxed)
    while open > 0 {
      let (isClosed, current) = openAttempts.compareExchange(
        expected: open, desired: open - 1, ordering: .relaxed)
      if isClosed { return true }
      open = current
    }
    return false
  }

  /// Reports `attemptFailed` for each attempt that has not ended.
  private func failAttempts(_ error: MartletError) {
    while closeAttempt() { notify(.attemptFailed(error)) }
  }

  // MARK: The task

  /// Reports `taskCompleted`.
  package func endTask(_ error: MartletError?) {
    if isObserved {
      // A cancelled task may complete before the transport has ended its attempts.
      for hedge in hedges { hedge.failAttempts(error ?? .cancelled) }
      failAttempts(error ?? .cancelled)
      if mayNotify(of: .task) { notify(.taskCompleted(error)) }
      removeTaskObservers()
    }
    openAttempts.store(0, ordering: .relaxed)
    hasEnded.store(true, ordering: .relaxed)
  }

  // MARK: Observers

  /// Whether there may be observers: those of the first request observe the second, too.
  private var isObserved: Bool { observed.load(ordering: .relaxed) != 0 || parent != nil }

  private func mayNotify(of topic: CallEvent.Topics) -> Bool {
    observes(topic) || parent?.observes(topic) ?? false
  }

  private func notify(_ kind: consuming CallEvent.Kind, at time: EventTime? = nil) {
    let topic = kind.topic
    // The progress of the call is that of the first request.
    if let parent, topic != .progress {
      parent.notifyObservers(of: copy kind, topic, by: self, at: time)
    }
    notifyObservers(of: kind, topic, by: self, at: time)
  }

  /// Calls the observers of a topic, unless the task has ended.
  ///
  /// - Parameters:
  ///   - kind: The event.
  ///   - topic: Its topic.
  ///   - call: The call that it happens to: this one, or its second request.
  ///   - time: When it happens; `nil` for now.
  private func notifyObservers(
    of kind: consuming CallEvent.Kind, _ topic: CallEvent.Topics, by call: Call, at time: EventTime?
  ) {
    guard observes(topic), !hasEnded.load(ordering: .relaxed) else { return }
    let connection = call.connection.load(ordering: .relaxed)
    let event = CallEvent(
      kind: kind, eventTime: time ?? .now, call: call,
      attempt: call.attempt.load(ordering: .relaxed),
      connectionID: connection == 0 ? nil : connection)
    observers.forEach(of: topic) { $0.receive(event) }
  }

  // MARK: Counting

  private func count(_ kind: CallEvent.Kind) {
    switch kind {
    case .retrying: forgetResponse()
    case .bodySent(let bytes, let total): upload.add(bytes, of: total)
    case .downloadResumed(let offset, let total): download.begin(at: offset, of: total)
    case .bodyReceived(let bytes, let total): download.add(bytes, of: total)
    default: break
    }
  }

  private func forgetResponse() {
    connection.store(0, ordering: .relaxed)
    lastStatus.store(0, ordering: .relaxed)
  }
}
