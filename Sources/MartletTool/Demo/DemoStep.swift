import MartletEssentials

/// One thing that users come for, done and checked.
struct DemoStep: Sendable {
  let title: String
  /// Does it and says what came of it in a few words.
  let run: @Sendable (DemoEnvironment) async throws -> String

  /// The steps, in order.
  static let all: [DemoStep] = [
    .typedGet, .query, .formPost, .jsonPost, .gzip, .redirect, .download, .trustedServer,
    .refusedCertificate, .timeOut,
  ]

  /// Ends a step when it got something else than it should have.
  static func check(_ isRight: Bool, _ expectation: String) throws {
    guard isRight else { throw ToolFailure("Expected \(expectation).") }
  }
}

/// A step's line: what it was, whether it worked, and how long it took.
struct DemoLine {
  private let step: DemoStep

  init(_ step: DemoStep) {
    self.step = step
  }

  /// Runs the step and prints its line; whether it worked.
  func show(on environment: DemoEnvironment) async -> Bool {
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let result = try await step.run(environment)
      print("✓", .good, result, clock.now - start)
      return true
    } catch {
      print("✗", .bad, Report.sentence(error), clock.now - start)
      return false
    }
  }

  private func print(_ mark: String, _ colour: Palette.Colour, _ result: String, _ time: Duration) {
    let palette = OutputHandle.output.palette
    let line = Self.text(step.title, time: time, result: result)
    OutputHandle.output.note(palette.paint(mark, colour) + " " + line)
  }

  /// `typed GET            1.2 ms  the name is “Ada”`
  static func text(_ title: String, time: Duration, result: String) -> String {
    let tenths = Int((time / .milliseconds(1) * 10).rounded())
    let milliseconds = "\(tenths / 10).\(tenths % 10) ms"
    return title.padded(to: 22) + milliseconds.padded(to: 11, atFront: true) + "  " + result
  }
}
