import MartletCore
import Tracing

/// The spans of an attempt that is under way: its own, and those of the parts of making its connection.
struct AttemptSpans: Sendable {
  /// The call to which the events of the attempt belong.
  let call: ObjectIdentifier
  let span: any Span
  /// The parts that are under way, by the names of their spans.
  var parts: [String: any Span] = [:]

  init(_ call: Call, _ span: any Span) {
    self.call = ObjectIdentifier(call)
    self.span = span
  }

  /// Ends the spans. Those of the parts are those of connections that are not needed, or that have failed.
  func end() {
    for part in parts.values { part.end() }
    span.end()
  }
}
