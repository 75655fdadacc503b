import EssentialFoundation
import HTTPTypes
package import MartletCore

/// Writes the lines of a log about one call. Secrets are masked.
package final class CallLog: CallObserver {
  /// How much is written.
  package enum Level: String, Sendable {
    /// Every event, besides the lines of `debug`.
    case trace
    /// A line for each attempt, besides the lines of `info`.
    case debug
    /// A line for the call, at its end.
    case info
  }

  /// A line of the log.
  package struct Line: Sendable {
    package var level: Level
    package var text: String
    package var callID: UInt64
    package var method: String
    package var url: String
    package var status: Int?
    package var errorType: String?
    package var duration: Duration?
  }

  private let level: Level
  private let write: @Sendable (Line) -> Void
  private let summary: Locked<CallSummary>

  /// - Parameters:
  ///   - task: The task of the call.
  ///   - level: Which lines are written.
  ///   - write: Called for each line.
  package init(
    _ task: SessionTask, level: Level, _ write: @escaping @Sendable (Line) -> Void
  ) {
    self.level = level
    self.write = write
    summary = Locked(CallSummary(task.originalRequest))
  }

  package var topics: CallEvent.Topics { level == .trace ? .all : [.task, .attempts, .messages] }

  package func receive(_ event: CallEvent) {
    let summary = summary.withLock { summary in
      summary.add(event)
      return summary
    }
    if level == .trace { write(line(.trace, event.kind.description, summary, event)) }
    switch event.kind {
    case .attemptFinished, .attemptFailed:
      if level != .info { write(line(.debug, summary.attemptText, summary, event)) }
    case .taskCompleted: write(line(.info, summary.text, summary, event))
    default: break
    }
  }

  private func line(_ level: Level, _ text: String, _ summary: CallSummary, _ event: CallEvent)
    -> Line
  {
    Line(
      level: level, text: text, callID: event.callID, method: summary.method, url: summary.url,
      status: summary.status?.code, errorType: summary.error.map { "\($0.code)" },
      duration: level == .trace ? nil : summary.duration)
  }
}
