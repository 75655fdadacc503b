import Foundation
import Martlet
import Synchronization

/// Adds up the progress of all files.
final class Meter: Sendable {
  private struct State {
    /// The bytes of each file that have been sent. A file that is sent again begins at 0 again.
    var sent: [String: Int64] = [:]
    var finishedCount = 0
  }

  private let count: Int
  private let total: Int64
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(_ sizes: [String: Int64]) {
    count = sizes.count
    total = sizes.values.reduce(0, +)
  }

  /// Called on an event loop for each chunk of a file.
  func set(_ bytes: Int64, of path: String) {
    state.withLock { $0.sent[path] = bytes }
  }

  /// Called when the server has accepted a file.
  func finish() {
    state.withLock { $0.finishedCount += 1 }
  }

  /// Called when a file could not be uploaded.
  func fail(_ path: String) {
    state.withLock { $0.sent[path] = nil }
  }

  /// The size, the time and the rate of what has been sent.
  var summary: String {
    let progress = progress
    return "\(size(progress.completed)) in \(seconds(progress.elapsed))\(rate(progress))"
  }

  /// Prints a line four times a second, until the task is cancelled. A terminal shows only the last.
  func display() async {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    while !Task.isCancelled {
      print(isTerminal ? "\r\u{1b}[K\(line)" : "\(line)\n", terminator: "")
      fflush(nil)
      try? await Task.sleep(for: .milliseconds(250))
    }
    if isTerminal { print() }
  }

  private var progress: TransferProgress {
    let sent = state.withLock { $0.sent.values.reduce(0, +) }
    return TransferProgress(
      completed: sent, total: total, elapsed: start.duration(to: .now))
  }

  private var line: String {
    let progress = progress
    let percentage = progress.fractionCompleted.formatted(.percent.precision(.fractionLength(0)))
    let left = progress.timeRemaining.map { ", \(seconds($0)) left" } ?? ""
    let finished = state.withLock { $0.finishedCount }
    return "\(finished) of \(count) files, \(percentage)\(rate(progress))\(left)"
  }

  private func rate(_ progress: TransferProgress) -> String {
    progress.bytesPerSecond.map { ", \(size(Int64($0)))/s" } ?? ""
  }

  private func size(_ bytes: Int64) -> String {
    bytes.formatted(.byteCount(style: .file))
  }

  private func seconds(_ duration: Duration) -> String {
    duration.formatted(.units(allowed: [.hours, .minutes, .seconds], width: .narrow))
  }
}
