public import Foundation

/// What one run of a peer has to do.
///
///     bench-NAME SCENARIO URL COUNT CONCURRENCY [OPTION …]
public struct Job: Sendable {
  /// What is done with each response.
  public enum Scenario: String, Sendable {
    /// Collect its body in memory.
    case get
    /// Read its body and forget it.
    case download
    /// Write its body to a file.
    case file
  }

  /// What is done with each response.
  public var scenario: Scenario
  /// Scheme, host and port.
  public var base: URL
  /// The path of the URL.
  public var path: String
  /// How many requests are measured.
  public var count: Int
  /// How many requests are under way at once.
  public var concurrency: Int
  /// Whatever else was given, for the peer to understand.
  public var options: [String]

  /// Reads the arguments of the process, and traps when they make no sense.
  public init(arguments: [String] = CommandLine.arguments) {
    let usage = "usage: \(arguments[0]) get|download|file URL COUNT CONCURRENCY [OPTION …]"
    guard arguments.count >= 5, let scenario = Scenario(rawValue: arguments[1]),
      let url = URL(string: arguments[2]), let base = URL(string: "/", relativeTo: url),
      let count = Int(arguments[3]), let concurrency = Int(arguments[4])
    else { fatalError(usage) }
    self.scenario = scenario
    self.base = base.absoluteURL
    path = url.path
    self.count = count
    self.concurrency = concurrency
    options = Array(arguments.dropFirst(5))
  }

  /// What is done before the measuring starts: a twentieth of the work, from a smaller file where
  /// there is only one request, so that starting up is not counted.
  var warmUp: Job {
    var job = self
    if scenario == .get {
      job.count = max(count / 20, concurrency)
    } else {
      job.count = 1
      job.path += ".warm-up"
    }
    return job
  }
}
