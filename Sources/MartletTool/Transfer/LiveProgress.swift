import Martlet

/// A progress bar on a terminal, drawn anew a few times a second; nothing elsewhere.
final class LiveProgress: ProgressDisplay {
  private static let pause = Duration.milliseconds(100)

  private struct State {
    var latest: TransferProgress?
    var drawn: ContinuousClock.Instant?
  }

  private let outlet: Outlet
  private let state = Locked(State())

  init(on outlet: Outlet) {
    self.outlet = outlet
  }

  /// Shows how far the transfer has come, if it is time to.
  func update(_ progress: TransferProgress) {
    guard outlet.isTerminal else { return }
    let isDue = state.withLock { state in
      let now = ContinuousClock.now
      state.latest = progress
      guard state.drawn.map({ now - $0 >= Self.pause }) ?? true else { return false }
      state.drawn = now
      return true
    }
    if isDue { draw(progress) }
  }

  /// Shows where the transfer stands now, and goes to the next line.
  func finish() {
    guard let latest = state.current.latest else { return }
    draw(latest)
    outlet.note("")
  }

  private func draw(_ progress: TransferProgress) {
    let line = ProgressBar(width: outlet.columns - 1).line(progress)
    try? outlet.write("\r" + line + "\u{1B}[K")
  }
}
