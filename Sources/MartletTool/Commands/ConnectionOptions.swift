import ArgumentParser
import Foundation
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

  @Option(
    name: .customLong("cacert"),
    help: ArgumentHelp(
      "Trust the certificates in this file, in PEM or DER form, and no others.", valueName: "file"))
  var trustedCertificates: String?

  @Flag(name: .long, help: "Accept any certificate of anybody.")
  var insecure = false

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
    if insecure, trustedCertificates != nil {
      throw ValidationError("--insecure checks no certificate: leave out --cacert.")
    }
  }

  /// The session that these options describe.
  ///
  /// - Parameter followsRedirects: Whether redirects are followed, whatever `follow` says.
  /// - Returns: A configuration with everything else at its default.
  func configuration(followsRedirects: Bool) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.redirects.isEnabled = followsRedirects
    configuration.redirects.limit = maxRedirects
    if let timeout { configuration.timeouts = Timeouts(.seconds(timeout)) }
    if let trustedCertificates {
      configuration.tls.roots = .file(URL(fileURLWithPath: trustedCertificates))
    }
    configuration.tls.acceptsAnyCertificate = insecure
    if let version { configuration.versions = version.versions }
    return configuration
  }
}
