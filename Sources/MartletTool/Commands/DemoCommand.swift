import ArgumentParser
import Martlet

/// `martlet demo`
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show what the library does, against a server started for the occasion.")

  func run() async throws {
    try await Report.run {
      let stage = try await DemoStage.start()
      let clock = ContinuousClock()
      let start = clock.now
      var failures = 0
      for step in DemoStep.all {
        if await !DemoLine(step).show(on: stage) { failures += 1 }
      }
      await stage.end()
      return try Self.close(failures, took: clock.now - start)
    }
  }

  private static func close(_ failures: Int, took time: Duration) throws -> ExitStatus {
    let count = DemoStep.all.count
    guard failures == 0 else {
      throw ToolFailure("\(failures) of \(count) steps failed.")
    }
    try Outlet.output.write("All \(count) steps did what they should, in \(time.brief).\n")
    return .success
  }
}
