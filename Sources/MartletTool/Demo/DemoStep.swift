import MartletEssentials

/// A use of the library, with a check of the result.
struct DemoStep: Sendable {
  let title: String
  /// Runs the step and returns its result in a few words.
  let run: @Sendable (DemoEnvironment) async throws -> String

  /// The steps, in order.
  static let all: [DemoStep] = [
    .typedGet, .query, .formPost, .jsonPost, .gzip, .redirect, .download, .trustedServer,
    .refusedCertificate, .timeOut,
  ]

  /// Ends a step with an error if a result is not as expected.
  static func check(_ isRight: Bool, _ expectation: String) throws {
    guard isRight else { throw ToolFailure("Expected \(expectation).") }
  }
}

/// The output line of a step: its title, whether it succeeded, and how long it took.
struct DemoLine {
  private let step: DemoStep

  init(_ step: DemoStep) {
    self.step = step
  }

  /// Runs the step, prints its line, and returns whether it succeeded.
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
    OutputHandle.output.writeLine(palette.paint(mark, colour) + " " + line)
  }

  /// `typed GET                  1.2 ms  decoded the JSON of http://127.0.0.1:34015/get`
  static func text(_ title: String, time: Duration, result: String) -> String {
    let tenths = Int((time / .milliseconds(1) * 10).rounded())
    let milliseconds = "\(tenths / 10).\(tenths % 10) ms"
    return title.padded(to: 22) + milliseconds.padded(to: 11, atFront: true) + "  " + result
  }
}
