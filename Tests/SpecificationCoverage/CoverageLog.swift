import Foundation

/// The file that collects what the tests cover.
struct CoverageLog: Sendable {
  private let path: String

  /// The log that the environment asks for, if it does.
  static let shared = ProcessInfo.processInfo.environment["MARTLET_SPEC_COVERAGE"]
    .map(CoverageLog.init(path:))

  private init(path: String) {
    self.path = path
  }

  /// Appends a line for each identifier, all in one write, so that tests that run at the same time do
  /// not mix their lines.
  func write(_ identifiers: [String], passed: Bool, test: String) {
    let verdict = passed ? "pass" : "fail"
    let lines = identifiers.map { "\(verdict) \($0) \(test)\n" }.joined()
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = Array(lines.utf8).withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
  }
}
