import Foundation

/// Sends requests of all kinds at a steady rate, and prints a line of figures each second: soak SECONDS RATE NAME=URL …
///
/// The servers are nginx, nginx over TLS, Apache, haproxy and bench-server, and one that misbehaves.
@main
struct Soak {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 2, let seconds = Double(arguments[0]), let rate = Double(arguments[1])
    else { throw Usage() }
    let pairs = arguments.dropFirst(2).map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    let mix = try Mix(Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }))
    let tally = Tally()
    try await run(for: seconds, rate, mix, tally)
    mix.close()
  }

  private struct Usage: Error, CustomStringConvertible {
    let description = "soak SECONDS RATE NAME=URL …"
  }

  /// Begins requests at a fixed rate, however long each of them takes.
  private static func run(for seconds: Double, _ rate: Double, _ mix: Mix, _ tally: Tally)
    async throws
  {
    let start = ContinuousClock.now
    let clock = ContinuousClock()
    await withDiscardingTaskGroup { group in
      group.addTask {
        for second in 1...max(Int(seconds), 1) {
          try? await clock.sleep(until: start + .seconds(second))
          let line = tally.line(at: second, connections: await mix.connectionCount)
          // Not `print`, which keeps lines back when the output is no terminal.
          FileHandle.standardOutput.write(Data("\(line)\n".utf8))
        }
      }
      for number in 0..<Int(seconds * rate) {
        try? await clock.sleep(until: start + .seconds(Double(number) / rate))
        group.addTask { await tally.measure(mix.step(number)) }
      }
    }
  }
}
