import Foundation
import Martlet
import Synchronization

/// Prints a line when a download begins, and after each tenth of it.
final class ProgressLines: Sendable {
  private let name: String
  /// The number of tenths in the last line; −1 before there is one.
  private let printed = Mutex(-1)

  init(name: String) {
    self.name = name
  }

  /// Called on an event loop for each chunk that has arrived.
  func show(_ progress: TransferProgress) {
    let tenths = Int(progress.fractionCompleted * 10)
    let last = printed.withLock { printed in
      defer { printed = max(printed, tenths) }
      return printed
    }
    guard tenths > last else { return }
    var line = "\(name): \(size(progress.completed))"
    if let total = progress.total { line += " of \(size(total))" }
    if last < 0, progress.resumeOffset > 0 {
      line += ", \(size(progress.resumeOffset)) of it from an earlier run"
    }
    // A rate says nothing before some time has passed.
    if progress.elapsed > .milliseconds(200), let rate = progress.bytesPerSecond {
      line += ", \(size(Int64(rate)))/s"
    }
    print(line)
  }

  private func size(_ bytes: Int64) -> String {
    bytes.formatted(.byteCount(style: .file))
  }
}
