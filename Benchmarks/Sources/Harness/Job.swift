public import Foundation

/// The task of one run of a peer.
///
///     bench-NAME SCENARIO URL COUNT CONCURRENCY [KEY=VALUE …]
public struct Job: Sendable {
  /// The scenario.
  public var scenario: Scenario
  /// Scheme, host and port, with a slash at the end.
  public var base: URL
  /// The path of the URL, with a slash at its beginning.
  public var path: String
  /// How many requests are measured.
  public var count: Int
  /// How many requests run at once.
  public var concurrency: Int
  /// Whether HTTP/2 is offered; otherwise only HTTP/1.1 is. The option `http=2`.
  public var offersHTTP2: Bool
  /// A PEM file with the authority to trust. The option `authority`.
  public var authority: String?
  /// The file that uploads send, or whose size they use. The option `file`.
  public var file: URL?
  /// How many small requests are sent before the measured ones; `nil` selects a sufficient number. The option
  /// `warm-up`.
  public var warmUpCount: Int?
  /// Whether the client has a cache in memory, and whether it answers the requests. The option `cache`: `hit` or `miss`.
  public var cache: Cache?
  /// What observes the client. The option `observer`: `metrics`, `spans` or `unrecorded-spans`.
  public var observer: Observer?
  /// How many event loops the client uses. The option `loops`; the default is 1.
  public var loops: Int
  /// How many requests start per second, by the clock. The option `rate`.
  public var rate: Double?

  /// What a cache does with the requests.
  public enum Cache: String, Sendable {
    /// It answers them.
    case hit
    /// It stores each response, and sends each request.
    case miss
  }

  /// What observes the client.
  public enum Observer: String, Sendable {
    /// Metrics without a backend.
    case metrics
    /// Spans that are recorded, and dropped at their end.
    case spans
    /// Spans that are not recorded, because there is no backend or the call is not sampled.
    case unrecordedSpans = "unrecorded-spans"
  }

  /// Reads the arguments of the process, and traps when they are invalid.
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
    cache = options["cache"].flatMap(Cache.init)
    observer = options["observer"].flatMap(Observer.init)
    loops = options["loops"].flatMap(Int.init) ?? 1
    rate = options["rate"].flatMap(Double.init)
  }

  private static func options(_ arguments: ArraySlice<String>) -> [String: String] {
    let pairs = arguments.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(pairs.map { ($0[0], $0.last ?? "") }) { $1 }
  }

  /// The file for uploads; throws when none was given.
  var givenFile: URL {
    get throws {
      guard let file else { throw UnexpectedResponse(reason: "no file given") }
      return file
    }
  }
}
