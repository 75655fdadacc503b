public import Testing

/// Says which rules and cases of the specification a test covers.
///
///     @Test(.covers("REQ-Q2", "T-REQ-05")) func `a space becomes %20`() { … }
///
/// On a suite it counts for every test within. When the environment variable
/// `MARTLET_SPEC_COVERAGE` names a file, each run of a test adds a line to it for each identifier:
/// `pass REQ-Q2 <name of the test>`, or the same with `fail`. `scripts/spec-coverage` reads it.
public struct Covers: TestTrait, SuiteTrait, TestScoping {
  /// The identifiers.
  public let identifiers: [String]

  /// True, so that a suite's identifiers count for the tests within.
  public var isRecursive: Bool { true }

  /// Runs the test and writes down how it went.
  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard let log = CoverageLog.shared else { return try await function() }
    let verdict = Verdict()
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      if issue.isFailure { verdict.fail() }
      return issue
    }
    do {
      try await watch.provideScope(for: test, testCase: testCase, performing: function)
    } catch {
      verdict.fail()
      log.write(identifiers, passed: false, test: test.name)
      throw error
    }
    log.write(identifiers, passed: verdict.isPass, test: test.name)
  }
}

extension Trait where Self == Covers {
  /// Says which rules and cases of the specification a test covers.
  public static func covers(_ identifiers: String...) -> Self {
    Covers(identifiers: identifiers)
  }
}
