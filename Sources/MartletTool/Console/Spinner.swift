import EssentialFoundation
import MartletEssentials

/// Shows a spinner on a terminal during a long wait. On other outputs, nothing is shown.
///
/// The library's `NetworkActivityIndicatorManager` decides when to show it. This class draws it.
final class Spinner: Sendable {
  private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let pause = 0.1

  private struct State {
    var isAwaited = false
    var isDrawn = false
    var frame = 0
  }

  private let output: OutputHandle
  private let text: String
  private let queue = DispatchQueue(label: "martlet.spinner")
  private let indicator: NetworkActivityIndicatorManager
  private let state = Locked(State())

  /// - Parameters:
  ///   - output: The output to draw on.
  ///   - text: The text to show after the spinner.
  ///   - delay: How long to wait before drawing. The default is half a second.
  init(on output: OutputHandle, _ text: String, after delay: Duration = .milliseconds(500)) {
    self.output = output
    self.text = text
    indicator = NetworkActivityIndicatorManager(queue: queue) { _ in false }
    indicator.activationDelay = delay
    indicator.completionDelay = .zero
    indicator.onVisibilityChange = { [weak self] isVisible in
      if isVisible { self?.drawNextFrame() }
    }
    indicator.isEnabled = output.isTerminal
  }

  /// Ends the wait when a response of the call arrives, and begins another one at each redirect.
  func follow(_ call: Call) {
    call.observe { [self] event in
      switch event.kind {
      case .responseReceived, .cacheUsed(_, answer: .some): end()
      case .redirecting: begin()
      default: break
      }
    }
  }

  /// Begins the wait.
  func begin() {
    let isNew = state.withLock { state in
      defer { state.isAwaited = true }
      return !state.isAwaited
    }
    if isNew { indicator.incrementActivityCount() }
  }

  /// Ends the wait. When it returns, the spinner is removed from the terminal.
  func end() {
    let wasAwaited = state.withLock { state in
      if state.isDrawn { try? output.write("\r\u{1B}[K") }
      defer { (state.isAwaited, state.isDrawn) = (false, false) }
      return state.isAwaited
    }
    if wasAwaited { indicator.decrementActivityCount() }
  }

  /// Draws the next frame, and schedules itself again on the queue while the indicator is visible.
  private func drawNextFrame() {
    guard indicator.isNetworkActivityIndicatorVisible else { return }
    state.withLock { state in
      guard state.isAwaited else { return }
      try? output.write("\r\(Self.frames[state.frame]) \(text)\u{1B}[K")
      state.frame = (state.frame + 1) % Self.frames.count
      state.isDrawn = true
    }
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.drawNextFrame() }
  }
}
