import Foundation
import Martlet
import Synchronization

/// What has happened since the last line.
final class Tally: Sendable {
  private struct Counts {
    var done = 0
    var expected = 0
    var unexpected = 0
    var latencies: [Double] = []
  }

  private let counts = Mutex(Counts())

  /// Runs a step, and counts how it ends.
  func measure(_ step: Step) async {
    let start = ContinuousClock.now
    let outcome = await step.outcome()
    let time = start.duration(to: .now) / .milliseconds(1)
    counts.withLock { counts in
      switch outcome {
      case .done:
        counts.done += 1
        if step.isQuick { counts.latencies.append(time) }
      case .expected: counts.expected += 1
      case .unexpected: counts.unexpected += 1
      }
    }
    if case .unexpected(let error) = outcome {
      FileHandle.standardError.write(Data("\(Date()) \(step.name): \(error)\n".utf8))
    }
  }

  /// The figures since the last line, as a line of CSV.
  func line(at second: Int, connections: Int) -> String {
    let now = counts.withLock { counts in
      defer { counts = Counts() }
      return counts
    }
    let sorted = now.latencies.sorted()
    let percentiles = [0.5, 0.99].map { part in
      sorted.isEmpty ? "" : "\(sorted[Int(Double(sorted.count - 1) * part)].rounded(to: 100))"
    }
    let figures = [second, now.done, now.expected, now.unexpected, connections].map(String.init)
    return (figures + percentiles).joined(separator: ",")
  }
}

extension Double {
  fileprivate func rounded(to parts: Double) -> Double { (self * parts).rounded() / parts }
}
