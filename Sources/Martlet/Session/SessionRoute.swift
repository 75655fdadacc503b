import MartletCore
import MartletTransport

/// A session's pipeline, with what is at its end.
///
/// A session that is reset makes a new one; its tasks keep to the one they were made with.
final class SessionRoute: Sendable {
  /// The engine that sends the requests, if it is one.
  let engine: HTTPTransport?
  let pipeline: Pipeline

  init(_ configuration: SessionConfiguration) {
    let transport = configuration.transport ?? HTTPTransport(configuration.engineConfiguration)
    engine = transport as? HTTPTransport
    pipeline = configuration.pipeline(over: transport)
  }
}
