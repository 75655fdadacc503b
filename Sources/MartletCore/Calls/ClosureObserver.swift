/// Calls a closure for the events of some topics, until its observation ends.
final class ClosureObserver: CallObserver {
  let topics: CallEvent.Topics
  let observation: Observation?
  /// Whether it is for one task of the call.
  let endsWithTask: Bool
  private let listener: Call.Listener

  init(
    _ topics: CallEvent.Topics, _ observation: Observation?, endsWithTask: Bool,
    _ listener: @escaping Call.Listener
  ) {
    self.topics = topics
    self.observation = observation
    self.endsWithTask = endsWithTask
    self.listener = listener
  }

  func receive(_ event: CallEvent) {
    if observation?.isActive ?? true { listener(event) }
  }
}
