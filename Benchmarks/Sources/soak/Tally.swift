import Foundation
import Martlet
import Synchronization

/// What must happen at least once in a run.
enum Feature: String, CaseIterable {
  case cacheHit = "a response from the cache"
  case resumption = "a download that is resumed"
}

/// What has happened since the last line, and which requests are under way.
final class Tally: Sendable {
  private struct Counts {
    var begun = 0
    var done = 0
    var expectedErrors = 0
    var cancelled = 0
    var cancelledLate = 0
    var unexpectedErrors = 0
    /// By server and by the code of the error or the status.
    var retries: [String: Int] = [:]
    var latencies: [Double] = []
  }

  private struct State {
    var counts = Counts()
    /// By the name of the step.
    var underWay: [String: Int] = [:]
    var left: Int
    var openConnections = 0
    var missing = Set(Feature.allCases)
  }

  private let state: Mutex<State>

  init(total: Int) {
    state = Mutex(State(left: total))
  }

  /// How many requests have not ended.
  var left: Int { state.withLock { $0.left } }

  /// The requests under way, such as `JSON 2`.
  var underWay: [String] {
    state.withLock { $0.underWay }.filter { $0.value > 0 }.map { "\($0.key) \($0.value)" }.sorted()
  }

  func begin(_ step: Step) {
    state.withLock { state in
      state.counts.begun += 1
      state.underWay[step.name, default: 0] += 1
    }
  }

  func countRetry(of server: String, after reason: FailedAttempt.Reason) {
    state.withLock { $0.counts.retries["\(server)/\(reason)", default: 0] += 1 }
  }

  func note(_ feature: Feature) {
    state.withLock { _ = $0.missing.remove(feature) }
  }

  /// Counts an unexpected error for each feature that the run has not had.
  func countMissing() {
    let missing = state.withLock { state in
      state.counts.unexpectedErrors += state.missing.count
      return state.missing
    }
    for feature in missing { Self.log("missing: \(feature.rawValue)") }
  }

  func count(_ change: ConnectionChange) {
    state.withLock { $0.openConnections += change.active + change.idle }
  }

  /// Runs a step, and counts how it ends. Its latency includes the delay of its start.
  func measure(_ step: Step, since due: ContinuousClock.Instant) async {
    let outcome = await step.outcome()
    let time = due.duration(to: .now) / .milliseconds(1)
    state.withLock { state in
      state.left -= 1
      state.underWay[step.name, default: 0] -= 1
      switch outcome {
      case .done:
        state.counts.done += 1
        if step.isQuick { state.counts.latencies.append(time) }
      case .expectedError: state.counts.expectedErrors += 1
      case .cancelled: state.counts.cancelled += 1
      case .cancelledLate: state.counts.cancelledLate += 1
      case .unexpected: state.counts.unexpectedErrors += 1
      }
    }
    if case .unexpected(let error) = outcome { Self.log("\(step.name): \(error)") }
  }

  private static func log(_ text: String) {
    FileHandle.standardError.write(Data("\(Date()) \(text)\n".utf8))
  }

  /// The figures since the last line, as a line of CSV.
  func line(at second: Int) -> String {
    let (now, underWay, connections) = state.withLock { state in
      defer { state.counts = Counts() }
      return (state.counts, state.underWay.values.reduce(0, +), state.openConnections)
    }
    let figures = [
      second, now.begun, now.done, now.expectedErrors, now.cancelled, now.cancelledLate,
      now.unexpectedErrors, underWay, connections,
    ].map(String.init)
    let sorted = now.latencies.sorted()
    let percentiles = [0.5, 0.99].map { part in
      sorted.isEmpty ? "" : "\(sorted[Int(Double(sorted.count - 1) * part)].rounded(to: 100))"
    }
    let retries = now.retries.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
    return (figures + percentiles + [retries]).joined(separator: ",")
  }
}

extension Double {
  fileprivate func rounded(to parts: Double) -> Double { (self * parts).rounded() / parts }
}
