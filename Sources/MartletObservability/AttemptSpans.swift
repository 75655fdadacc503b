import EssentialFoundation
import MartletCore
import Tracing

/// The spans of an attempt that is under way: its own, and those of the parts of making its connection.
struct AttemptSpans: Sendable {
  private struct Parts {
    /// The spans that are under way, by their names.
    var spans: [String: any Span] = [:]
    var hasEnded = false
  }

  let span: any Span
  private let parts = Locked(Parts())

  init(_ span: any Span) {
    self.span = span
  }

  /// Adds the span of a part. A part with the same name has ended: the attempt tries it again.
  func add(_ part: any Span, _ name: String) {
    let ended = parts.withLock { $0.hasEnded ? part : $0.spans.updateValue(part, forKey: name) }
    ended?.end()
  }

  /// Returns the span of a part that has ended.
  func remove(_ name: String) -> (any Span)? {
    parts.withLock { $0.spans.removeValue(forKey: name) }
  }

  /// Ends the spans. Those of the parts are those of connections that are not needed, or that have failed.
  func end() {
    let spans = parts.withLock { parts in
      parts.hasEnded = true
      defer { parts.spans = [:] }
      return parts.spans.values
    }
    for part in spans { part.end() }
    span.end()
  }
}
