import EssentialFoundation
package import NIOCore
import Synchronization

/// Observing a call.
extension Call {
  /// Calls `listener` for every event from now on.
  ///
  /// The call keeps `listener`. One that uses the call should capture it weakly, and one that uses a body of the call should end
  /// the observation.
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
    let observation = Observation { [weak self] observation in
      self?.removeObservers { $0.remove(observation) }
    }
    observe(topics, for: observation, listener)
    return observation
  }

  /// Calls `listener` for every event about `topics` from now on.
  ///
  /// - Parameters:
  ///   - topics: The topics.
  ///   - observation: The observation, at whose end the listener is not called any more. The default is none.
  ///   - endsWithTask: Whether the listener is released at the end of the present task. The default is false.
  ///   - listener: The listener.
  package func observe(
    _ topics: CallEvent.Topics, for observation: Observation? = nil, endsWithTask: Bool = false,
    _ listener: @escaping Listener
  ) {
    addObserver(ClosureObserver(topics, observation, endsWithTask: endsWithTask, listener))
  }

  /// Adds an observer for all that follows. The call keeps it.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - request: The request of the task. The default, `nil`, is for observers that do not ask for it.
  package func addObserver(_ observer: any CallObserver, of request: Request? = nil) {
    _ = state.withLock { state in
      state.observers.append(observer)
      return request.flatMap { state.note($0) }
    }
    observed.bitwiseOr(observer.topics.rawValue, ordering: .relaxed)
  }

  /// The present observers.
  var observers: CallObservers { state.withLock { $0.observers } }

  /// Whether a topic is observed.
  func observes(_ topic: CallEvent.Topics) -> Bool {
    CallEvent.Topics(rawValue: observed.load(ordering: .relaxed)).contains(topic)
  }

  /// Whether an observer wants the response's body.
  package var observesBodies: Bool { observes(.bodies) }

  /// Passes bytes of the response's body to the observers that want them.
  package func report(bytes: ByteBuffer) {
    guard observesBodies else { return }
    observers.forEach(of: .bodies) { $0.receive(bytes: bytes) }
  }

  /// Lets the observers change a request of the call that is about to be passed to the transport.
  package func prepare(_ request: inout Request) {
    guard observes(.requests) else { return }
    observers.forEach(of: .requests) { $0.prepare(&request) }
  }

  /// Removes the observers of the task that ends. The call may be given to another.
  func removeTaskObservers() {
    removeObservers { $0.removeTaskObservers() }
  }

  private func removeObservers(_ remove: (inout CallObservers) -> Void) {
    // They are released outside the lock: the objects that they retain may run any code in `deinit`.
    _ = state.withLock { state in
      defer { remove(&state.observers) }
      return state.observers
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
