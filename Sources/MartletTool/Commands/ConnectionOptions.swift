import ArgumentParser
import Martlet
import MartletTransport

/// How the request is sent.
struct ConnectionOptions: ParsableArguments {
  @Flag(name: [.customShort("F"), .long], help: "Follow redirects.")
  var follow = false

  @Option(
    name: .long,
    help: ArgumentHelp("With --follow, the most redirects to follow.", valueName: "n"))
  var maxRedirects = 20

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long to wait for a connection, for TLS, and between two bytes. Without, 10 s, 10 s and 60 s.",
      valueName: "seconds"))
  var timeout: Double?

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
    if let timeout, !(timeout >= 0.001 && timeout <= Self.longestTimeout) {
      throw ValidationError("--timeout needs a number of seconds above 0, such as 2.5.")
    }
    if maxRedirects < 0 {
      throw ValidationError("--max-redirects needs 0 or more.")
    }
  }

  /// The session that these options describe.
  ///
  /// - Parameters:
  ///   - requests: The requests that are sent.
  ///   - followsRedirects: Whether redirects are followed, whatever `follow` says.
  /// - Returns: A configuration with everything else at its default.
  /// - Throws: `MartletError` when certificates, keys or pins cannot be read.
  func configuration(for requests: [Request], followsRedirects: Bool) throws(MartletError)
    -> SessionConfiguration
  {
    var configuration = SessionConfiguration()
    try trust.apply(to: &configuration, for: requests)
    configuration.redirects.isEnabled = followsRedirects
    configuration.redirects.limit = maxRedirects
    if let timeout { configuration.timeouts = Timeouts(.seconds(timeout)) }
    if let version { configuration.versions = version.versions }
    configuration.proxies = try proxies.configuration
    return configuration
  }
}
