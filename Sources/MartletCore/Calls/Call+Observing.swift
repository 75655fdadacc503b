import EssentialFoundation
package import NIOCore
import Synchronization

/// Observing a call.
extension Call {
  /// Calls `listener` for every event from now on.
  ///
  /// - Returns: The observation, with which it can be ended.
  @discardableResult
  public func observe(_ listener: @escaping Listener) -> Observation {
    beginObservation(of: .all, listener)
  }

  /// Calls `listener` for every event about `topics` from now on.
  ///
  /// - Returns: The observation, with which it can be ended.
  package func beginObservation(
    of topics: CallEvent.Topics, _ listener: @escaping Listener
  ) -> Observation {
    let observation = Observation { [weak self] in self?.removeListener(of: $0) }
    observe(topics, for: observation, listener)
    return observation
  }

  /// Calls `listener` for every event about `topics` from now on.
  ///
  /// - Parameters:
  ///   - topics: The topics.
  ///   - observation: The observation, at whose end the listener is not called any more. The default is none.
  ///   - listener: The listener.
  package func observe(
    _ topics: CallEvent.Topics, for observation: Observation? = nil, _ listener: @escaping Listener
  ) {
    state.withLock {
      $0.listeners.append(
        CallListener(topics: topics, observation: observation, receive: listener))
    }
    observed.bitwiseOr(topics.rawValue, ordering: .relaxed)
  }

  /// Adds an observer for all that follows.
  ///
  /// - Parameters:
  ///   - observer: The observer, which the call keeps.
  ///   - request: The request of the call.
  package func addObserver(_ observer: any CallObserver, of request: Request) {
    let topics = observer.topics
    state.withLock { state in
      state.noteRequest(request)
      state.listeners.append(CallListener(observer, topics))
    }
    observed.bitwiseOr(topics.rawValue, ordering: .relaxed)
  }

  /// Whether an observer wants the response's body.
  package var observesBodies: Bool {
    CallEvent.Topics(rawValue: observed.load(ordering: .relaxed)).contains(.bodies)
  }

  /// Passes bytes of the response's body to the observers that want them.
  package func report(bytes: ByteBuffer) {
    for observer in observers(of: .bodies) { observer.receive(bytes: bytes) }
  }

  /// Lets the observers change a request of the call that is about to be passed to the transport.
  package func prepare(_ request: inout Request) {
    for observer in observers(of: .requests) { observer.prepare(&request) }
  }

  /// The observers of a topic that has no events.
  private func observers(of topic: CallEvent.Topics) -> [any CallObserver] {
    let observed = CallEvent.Topics(rawValue: observed.load(ordering: .relaxed))
    guard observed.contains(topic) else { return [] }
    let listeners = state.withLock { $0.currentListeners() }
    return listeners.compactMap { $0.topics.contains(topic) ? $0.observer : nil }
  }

  private func removeListener(of observation: Observation) {
    // It is released outside the lock: the objects that it retains may run any code in `deinit`.
    _ = state.withLock { state in
      defer { state.listeners.removeAll { $0.isOf(observation) } }
      return state.listeners
    }
  }

  /// Calls `listener` each time more of the request's body has been sent.
  package func observeUpload(_ listener: @escaping TransferProgress.Handler) {
    observe(.progress) { [weak self] event in
      guard case .bodySent = event.kind, let self else { return }
      listener(uploadTransfer)
    }
  }

  /// Calls `listener` each time more of the response's body has arrived, and when a download is resumed.
  package func observeDownload(_ listener: @escaping TransferProgress.Handler) {
    observe(.progress) { [weak self] event in
      switch event.kind {
      case .downloadResumed, .bodyReceived: if let self { listener(downloadTransfer) }
      default: break
      }
    }
  }
}
