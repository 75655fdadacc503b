public import Foundation

/// What one run of a peer has to do.
///
///     bench-NAME SCENARIO URL COUNT CONCURRENCY [KEY=VALUE …]
public struct Job: Sendable {
  /// What is done.
  public var scenario: Scenario
  /// Scheme, host and port, with a slash at the end.
  public var base: URL
  /// The path of the URL, with a slash at its beginning.
  public var path: String
  /// How many requests are measured.
  public var count: Int
  /// How many requests are under way at once.
  public var concurrency: Int
  /// Whether HTTP/2 is offered; else it is HTTP/1.1 and nothing else. The option `http=2`.
  public var offersHTTP2: Bool
  /// A PEM file with the authority to trust. The option `authority`.
  public var authority: String?
  /// What uploads send, or how much of it. The option `file`.
  public var file: URL?
  /// How many small requests come before those that are measured; `nil` is for enough. The option `warm-up`.
  public var warmUpCount: Int?
  /// How many requests are begun in a second, by the clock. The option `rate`.
  public var rate: Double?

  /// Reads the arguments of the process, and traps when they make no sense.
  public init(arguments: [String] = CommandLine.arguments) {
    guard arguments.count >= 5, let scenario = Scenario(rawValue: arguments[1]),
      let url = URL(string: arguments[2]), let base = URL(string: "/", relativeTo: url),
      let count = Int(arguments[3]), let concurrency = Int(arguments[4])
    else { fatalError("usage: \(arguments[0]) SCENARIO URL COUNT CONCURRENCY [KEY=VALUE …]") }
    let options = Self.options(arguments.dropFirst(5))
    self.scenario = scenario
    self.base = base.absoluteURL
    path = url.path
    self.count = count
    self.concurrency = concurrency
    offersHTTP2 = options["http"] == "2"
    authority = options["authority"]
    file = options["file"].map { URL(fileURLWithPath: $0) }
    warmUpCount = options["warm-up"].flatMap(Int.init)
    rate = options["rate"].flatMap(Double.init)
  }

  private static func options(_ arguments: ArraySlice<String>) -> [String: String] {
    let pairs = arguments.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(pairs.map { ($0[0], $0.last ?? "") }) { $1 }
  }

  /// What uploads send; throws when there is none.
  var givenFile: URL {
    get throws {
      guard let file else { throw UnexpectedResponse(reason: "no file given") }
      return file
    }
  }
}
