import EssentialFoundation
import MartletCore

/// A warning that is printed once on standard error, for the first event that has one.
struct OneTimeWarning: Sendable {
  private let wasPrinted = Locked(false)
  private let text: @Sendable (CallEvent.Kind) -> String?

  /// A warning with the text that is returned for an event; `nil` for an event that needs none.
  init(_ text: @escaping @Sendable (CallEvent.Kind) -> String?) {
    self.text = text
  }

  func follow(_ calls: [Call]) {
    for call in calls { call.observe { print(for: $0.kind) } }
  }

  private func print(for event: CallEvent.Kind) {
    guard let text = text(event) else { return }
    let isFirst = wasPrinted.withLock { wasPrinted in
      defer { wasPrinted = true }
      return !wasPrinted
    }
    if isFirst { OutputHandle.error.writeLine(text) }
  }
}
