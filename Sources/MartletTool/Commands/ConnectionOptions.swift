import ArgumentParser
import Martlet
import MartletTransport

/// How the request is sent.
struct ConnectionOptions: ParsableArguments {
  @Flag(name: [.customShort("F"), .long], help: "Follow redirects.")
  var follow = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --follow or --download, the most redirects to follow. The default is 20.",
      valueName: "n"))
  var maxRedirects: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long to wait for a connection, for TLS, and between two bytes. Without, 10 s, 10 s and 60 s.",
      valueName: "seconds"))
  var timeout: Double?

  @Option(
    name: .customLong("max-time"),
    help: ArgumentHelp(
      "The longest that a call may take in all, redirects included. The default is no limit.",
      valueName: "seconds"))
  var longestTime: Double?

  @Flag(exclusivity: .exclusive)
  var version: VersionOption?

  @OptionGroup
  var proxies: ProxyOptions

  @OptionGroup
  var trust: TrustOptions

  @Flag(name: .long, help: "Exit with 3, 4 or 5 when the response is a 3xx, 4xx or 5xx.")
  var checkStatus = false

  /// Beyond this a time-out is none: ten years.
  private static let longestTimeout = 315_360_000.0

  func validate() throws {
    for (name, seconds) in [("--timeout", timeout), ("--max-time", longestTime)] {
      guard let seconds, !(seconds >= 0.001 && seconds <= Self.longestTimeout) else { continue }
      throw ValidationError(
        "\(name) needs a number of seconds from 0.001 to 315360000, such as 2.5.")
    }
    if let maxRedirects, maxRedirects < 0 {
      throw ValidationError("--max-redirects needs 0 or more.")
    }
  }

  /// The session that these options describe.
  ///
  /// - Parameters:
  ///   - requests: The requests that are sent.
  ///   - followsRedirects: Whether redirects are followed, whatever `follow` says.
  /// - Returns: A configuration with everything else at its default.
  /// - Throws: `ToolFailure` when a file cannot be read; `MartletError` when certificates, keys or pins in it
  ///   cannot be.
  func configuration(for requests: [Request], followsRedirects: Bool) throws
    -> SessionConfiguration
  {
    var configuration = SessionConfiguration()
    try trust.apply(to: &configuration, for: requests)
    configuration.redirects.isEnabled = followsRedirects
    if let maxRedirects { configuration.redirects.limit = maxRedirects }
    if let timeout { configuration.timeouts = Timeouts(.seconds(timeout)) }
    if let longestTime { configuration.timeouts.total = .seconds(longestTime) }
    if let version { configuration.versions = version.versions }
    configuration.proxies = try proxies.configuration
    return configuration
  }
}
