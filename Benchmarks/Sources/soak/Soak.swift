import Foundation

/// Sends requests of all kinds at a steady rate, and prints a line of figures each second: soak SECONDS RATE NAME=URL …
///
/// The servers are nginx, nginx over TLS, Apache, haproxy and bench-server, and one that misbehaves; Apache is also a proxy. The
/// last line follows when all requests have ended and the sessions are closed.
@main
struct Soak {
  /// How many seconds the last requests may take.
  private static let drainLimit = 60

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 2, let seconds = Int(arguments[0]), let rate = Int(arguments[1])
    else { throw Usage() }
    let pairs = arguments.dropFirst(2).map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    let tally = Tally(total: seconds * rate)
    let mix = try Mix(Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }), tally)
    let start = ContinuousClock.now
    await withDiscardingTaskGroup { group in
      group.addTask { await report(for: seconds, since: start, tally) }
      for number in 0..<seconds * rate {
        let due = start + .seconds(Double(number) / Double(rate))
        try? await Task.sleep(until: due)
        let step = mix.step(number)
        tally.begin(step)
        group.addTask { await tally.measure(step, since: due) }
      }
    }
    mix.close()
    try await Task.sleep(for: .seconds(5))  // for the connections to close
    tally.countMissing()
    let second = Int(start.duration(to: .now) / .seconds(1)) + 1
    printLine(at: second, tally)
  }

  private struct Usage: Error, CustomStringConvertible {
    let description = "soak SECONDS RATE NAME=URL …"
  }

  /// Prints a line each second until all requests have ended. Ends the process if they take too long.
  private static func report(
    for seconds: Int, since start: ContinuousClock.Instant, _ tally: Tally
  ) async {
    var second = 0
    while second < seconds || tally.left > 0 {
      second += 1
      try? await Task.sleep(until: start + .seconds(second))
      printLine(at: second, tally)
      if second >= seconds + drainLimit {
        let names = tally.underWay.joined(separator: ", ")
        let text = "\(tally.left) requests were left after \(drainLimit) seconds: \(names)\n"
        FileHandle.standardError.write(Data(text.utf8))
        exit(1)
      }
    }
  }

  private static func printLine(at second: Int, _ tally: Tally) {
    // Not `print`, which keeps lines back when the output is no terminal.
    FileHandle.standardOutput.write(Data("\(tally.line(at: second))\n".utf8))
  }
}
