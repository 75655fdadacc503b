extension Event {
  /// What events are about: a listener for a few topics costs nothing when other events are reported.
  package struct Topics: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The task begins, is held, goes on, is over.
    package static let task = Topics(rawValue: 1)
    /// Bytes of bodies.
    package static let progress = Topics(rawValue: 2)
    /// Attempts, connections, redirects and answers from a cache: all other events.
    package static let attempts = Topics(rawValue: 4)

    /// All events.
    package static let all: Topics = [.task, .progress, .attempts]
  }
}

extension Event.Kind {
  var topic: Event.Topics {
    switch self {
    case .taskResumed, .taskSuspended, .ended: .task
    case .bodySent, .received, .resumed: .progress
    case .answeredFromCache, .attempting, .queued, .resolving, .resolved, .connecting, .connected,
      .securing, .secured, .sending, .repeating, .sent, .informational, .responded, .redirecting,
      .finished, .failed:
      .attempts
    }
  }
}
