/// A closure or an observer that is called for the events of a call.
final class CallListener: Sendable {
  let topics: CallEvent.Topics
  let observer: (any CallObserver)?
  let receive: Call.Listener
  private let observation: Observation?

  init(topics: CallEvent.Topics, observation: Observation?, receive: @escaping Call.Listener) {
    self.topics = topics
    self.observation = observation
    self.receive = receive
    observer = nil
  }

  init(_ observer: any CallObserver, _ topics: CallEvent.Topics) {
    self.topics = topics
    self.observer = observer
    observation = nil
    receive = { observer.receive($0) }
  }

  func wants(_ topic: CallEvent.Topics) -> Bool {
    topics.contains(topic) && observation?.isActive ?? true
  }

  func isOf(_ observation: Observation) -> Bool { self.observation === observation }
}
