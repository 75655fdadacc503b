import EssentialFoundation
import MartletEssentials

/// Shows the progress of a transfer.
protocol ProgressDisplay: Sendable {
  /// Shows the progress, unless it was shown very recently.
  func update(_ progress: TransferProgress)
  /// Ends the display: the transfer is over.
  func finish()
}

/// A progress bar on a terminal, redrawn a few times a second. On other outputs, nothing is shown.
final class SingleProgressBar: ProgressDisplay {
  private static let pause = Duration.milliseconds(100)

  private struct State {
    var latest: TransferProgress?
    var drawn: ContinuousClock.Instant?
  }

  private let output: OutputHandle
  private let state = Locked(State())

  init(on output: OutputHandle) {
    self.output = output
  }

  /// Shows the progress, unless it was shown very recently.
  func update(_ progress: TransferProgress) {
    guard output.isTerminal else { return }
    let isDue = state.withLock { state in
      let now = ContinuousClock.now
      state.latest = progress
      guard state.drawn.map({ now - $0 >= Self.pause }) ?? true else { return false }
      state.drawn = now
      return true
    }
    if isDue { draw(progress) }
  }

  /// Draws the latest progress, and goes to the next line.
  func finish() {
    guard let latest = state.current.latest else { return }
    draw(latest)
    output.writeLine("")
  }

  private func draw(_ progress: TransferProgress) {
    let line = ProgressBar(width: output.columns - 1).line(progress)
    try? output.write("\r" + line + "\u{1B}[K")
  }
}

/// Progress bars of several transfers, one on each line, redrawn a few times a second on a terminal. On other outputs,
/// nothing is shown.
final class ProgressBarList: Sendable {
  private static let pause = Duration.milliseconds(100)

  private struct State {
    var latest: [TransferProgress]
    var drawn: ContinuousClock.Instant?
  }

  /// One line of a list.
  struct Line: ProgressDisplay {
    fileprivate let list: ProgressBarList
    fileprivate let index: Int

    func update(_ progress: TransferProgress) { list.update(index, progress) }
    func finish() {}
  }

  private let output: OutputHandle
  private let names: [String]
  private let state: Locked<State>

  /// - Parameters:
  ///   - output: The output to draw on.
  ///   - names: The names of the transfers.
  init(on output: OutputHandle, names: [String]) {
    self.output = output
    self.names = names
    state = Locked(State(latest: names.map { _ in TransferProgress() }))
  }

  /// The line of a transfer.
  func line(_ index: Int) -> Line { Line(list: self, index: index) }

  private func update(_ index: Int, _ progress: TransferProgress) {
    guard output.isTerminal else { return }
    state.withLock { state in
      state.latest[index] = progress
      let now = ContinuousClock.now
      guard state.drawn.map({ now - $0 >= Self.pause }) ?? true else { return }
      draw(&state, now)
    }
  }

  /// Draws the final progress of all transfers.
  func finish() {
    state.withLock { state in
      if state.drawn != nil { draw(&state, .now) }
    }
  }

  /// Draws all lines. Several threads call it, so it must be called with the state locked.
  private func draw(_ state: inout State, _ now: ContinuousClock.Instant) {
    let lines = Self.lines(names, state.latest, width: output.columns - 1)
    let up = state.drawn == nil ? "" : "\u{1B}[\(lines.count)A"
    try? output.write(up + lines.map { "\r\($0)\u{1B}[K\n" }.joined())
    state.drawn = now
  }

  /// The longest name that is shown in full, in characters.
  private static let longestName = 24

  /// The bars, each after its name.
  static func lines(_ names: [String], _ transfers: [TransferProgress], width: Int) -> [String] {
    let room = min(names.map(\.count).max() ?? 0, longestName)
    return zip(names, transfers).map { name, progress in
      let name = name.count > room ? "…" + name.suffix(room - 1) : name
      let label = name + String(repeating: " ", count: room - name.count)
      let bar = ProgressBar(width: max(width - room - 1, 0)).line(progress)
      return String("\(label) \(bar)".prefix(width))
    }
  }
}
