public import NIOCore

/// Observes one call: it is called for each event, and may add fields to each request before it is sent.
///
/// Its functions are called in order, usually on an event loop: they must be quick and must not block.
public protocol CallObserver: AnyObject, Sendable {
  /// The topics that it observes, which must not change. The default is all events, and no requests or bodies. The fewer, the less
  /// it costs.
  var topics: CallEvent.Topics { get }

  /// Changes a request of the call that is about to be passed to the transport, for example to add a field. It is called
  /// for each attempt if `topics` contain `.requests`, and not for a request that the engine sends again. The default
  /// changes nothing.
  ///
  /// - Parameter request: The request. Its `call` is the one that the events of the attempt belong to.
  func prepare(_ request: inout Request)

  /// Called for each event. The default does nothing.
  func receive(_ event: CallEvent)

  /// Called for the body of the response that the caller receives, piece by piece, if `topics` contain `.bodies`. The bytes
  /// are those that the caller receives, after decompression. A body that is written to a file is not reported. The default
  /// does nothing.
  func receive(bytes: ByteBuffer)
}

extension CallObserver {
  /// All events.
  public var topics: CallEvent.Topics { .all }

  /// Changes nothing.
  public func prepare(_ request: inout Request) {}

  /// Does nothing.
  public func receive(_ event: CallEvent) {}

  /// Does nothing.
  public func receive(bytes: ByteBuffer) {}
}
