import ArgumentParser
import MartletEssentials
import MartletTransport

/// The options for sending requests.
struct ConnectionOptions: ParsableArguments {
  @Flag(name: [.customShort("F"), .long], help: "Follow redirects.")
  var follow = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "With --follow or --download, the most redirects to follow. The default is 20.",
      valueName: "n"))
  var maxRedirects: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The time-out for connecting, for TLS, and between two bytes. The defaults are 10 s, 10 s and 60 s.",
      valueName: "seconds"))
  var timeout: Double?

  @Option(
    name: .customLong("max-time"), parsing: .unconditional,
    help: ArgumentHelp(
      "The time-out for the whole call, redirects included. The default is no limit.",
      valueName: "seconds"))
  var longestTime: Double?

  @Option(
    name: .customLong("retry"), parsing: .unconditional,
    help: ArgumentHelp(
      "Send the request again after a failure that may pass, at most this many times, unless it could take effect twice. The default is 0.",
      valueName: "n"))
  var retries: Int?

  @Flag(exclusivity: .exclusive)
  var version: VersionOption?

  @OptionGroup
  var proxies: ProxyOptions

  @OptionGroup
  var trust: TrustOptions

  @Flag(
    name: .long,
    help:
      "Exit with 4 or 5 when the response is a 4xx or 5xx, and, without --follow, with 3 when it is a 3xx."
  )
  var checkStatus = false

  /// The longest time-out: ten years, in seconds.
  private static let longestTimeout = 315_360_000.0
  private static let mostRetries = 1000

  func validate() throws {
    for (name, seconds) in [("--timeout", timeout), ("--max-time", longestTime)] {
      guard let seconds, !(seconds >= 0.001 && seconds <= Self.longestTimeout) else { continue }
      throw ValidationError(
        "\(name) needs a number of seconds from 0.001 to 315360000, such as 2.5.")
    }
    if let maxRedirects, maxRedirects < 0 {
      throw ValidationError("--max-redirects needs 0 or more.")
    }
    guard 0...Self.mostRetries ~= retries ?? 0 else {
      throw ValidationError("--retry needs a number from 0 to \(Self.mostRetries).")
    }
  }

  /// The session configuration that these options describe.
  ///
  /// - Parameters:
  ///   - requests: The requests that are sent.
  ///   - followsRedirects: Whether redirects are followed. It is used instead of `follow`.
  /// - Returns: A configuration with everything else at its default.
  /// - Throws: `ToolFailure` when a file cannot be read; `MartletError` when certificates, keys, pins or
  ///   proxies are not valid.
  func configuration(for requests: [Request], followsRedirects: Bool) throws
    -> SessionConfiguration
  {
    var configuration = SessionConfiguration()
    try trust.apply(to: &configuration, for: requests)
    configuration.redirectPolicy.isEnabled = followsRedirects
    if let maxRedirects { configuration.redirectPolicy.limit = maxRedirects }
    if let timeout { configuration.timeouts = Timeouts(.seconds(timeout)) }
    if let longestTime { configuration.timeouts.total = .seconds(longestTime) }
    if let version { configuration.versions = version.versions }
    configuration.proxies = try proxies.configuration
    if let retries {
      configuration.resilience.retry.maximumAttempts = 1 + retries
      // One run of a program makes no storm.
      configuration.resilience.retry.budget = nil
    }
    return configuration
  }
}

/// The options for proxies. Without them, the environment variables apply.
struct ProxyOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use this proxy, such as http://user:password@host:3128; the scheme may also be https or socks5. The default is taken from the environment: http_proxy, https_proxy, all_proxy and no_proxy.",
      valueName: "URL"))
  var proxy: String?

  @Option(
    name: .customLong("no-proxy"),
    help: ArgumentHelp(
      "Use no proxy for these hosts, such as .example.com,10.0.0.0/8; * means all hosts.",
      valueName: "hosts"))
  var exceptions: String?

  func validate() throws {
    do {
      _ = try configuration
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// The proxy configuration that these options describe.
  var configuration: ProxyConfiguration {
    get throws(MartletError) {
      var hosts: HostList?
      if let exceptions { hosts = try HostList(exceptions) }
      guard let proxy else { return .system.excepting(hosts) }
      return .through(try Proxy(proxy), except: hosts)
    }
  }
}

/// The only version of HTTP to use. Without this option, TLS negotiates the version, and http uses HTTP/1.1.
enum VersionOption: EnumerableFlag {
  case http1
  case http2

  static func help(for value: VersionOption) -> ArgumentHelp? {
    switch value {
    case .http1: "Speak HTTP/1.1 only."
    case .http2: "Speak HTTP/2 only; over http, without negotiation (prior knowledge)."
    }
  }

  /// The setting of the engine for this option.
  var versions: HTTPTransportConfiguration.Versions {
    switch self {
    case .http1: .http1
    case .http2: .http2
    }
  }
}
