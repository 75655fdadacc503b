/// Calls a closure for the events of some topics, until its observation ends.
final class ClosureObserver: CallObserver {
  let topics: CallEvent.Topics
  let observation: Observation?
  private let listener: Call.Listener

  init(_ topics: CallEvent.Topics, _ observation: Observation?, _ listener: @escaping Call.Listener)
  {
    self.topics = topics
    self.observation = observation
    self.listener = listener
  }

  func receive(_ event: CallEvent) {
    if observation?.isActive ?? true { listener(event) }
  }
}
