import ArgumentParser
import Foundation
import Martlet

/// Whom to trust, and what to show to servers that ask.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .customLong("cacert"),
    help: ArgumentHelp(
      "Trust the certificates in this file, in PEM or DER form, and no others.", valueName: "file"))
  var trustedCertificates: String?

  @Option(
    name: .customLong("pin"),
    help: ArgumentHelp(
      "Ask for a certificate with this key, or with one of several; martlet certs prints them.",
      valueName: "sha256//..."))
  var pins: [String] = []

  @Option(
    name: .customLong("cert"),
    help: ArgumentHelp(
      "Show this certificate, in PEM form, to a server that asks for one.", valueName: "file"))
  var certificate: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The private key of --cert. Without, it is in the same file.", valueName: "file"))
  var key: String?

  @Option(
    name: .customLong("pass"),
    help: ArgumentHelp("The passphrase of an encrypted --key.", valueName: "phrase"))
  var passphrase: String?

  @Flag(name: .long, help: "Accept any certificate of anybody, if it has a --pin.")
  var insecure = false

  func validate() throws {
    if insecure, trustedCertificates != nil {
      throw ValidationError("--insecure checks no certificate: leave out --cacert.")
    }
    if certificate == nil, key != nil {
      throw ValidationError("--key needs a certificate that it belongs to: add --cert.")
    }
    for pin in pins {
      do {
        _ = try PublicKeyPin.list(pin)
      } catch {
        throw ValidationError(error.message)
      }
    }
  }

  /// Has the session trust whom the options say, and show the certificate to the servers of its requests.
  ///
  /// - Parameters:
  ///   - configuration: The session's.
  ///   - requests: The requests; where redirects lead, the certificate is not shown.
  /// - Throws: `MartletError` when certificates or keys cannot be read.
  func apply(to configuration: inout SessionConfiguration, for requests: [Request])
    throws(MartletError)
  {
    if let trustedCertificates {
      configuration.tls.roots = .file(URL(fileURLWithPath: trustedCertificates))
    }
    configuration.tls.acceptsAnyCertificate = insecure
    for list in pins { configuration.securityPolicy.pins.formUnion(try PublicKeyPin.list(list)) }
    if let certificate {
      let identity = try ClientIdentity(
        certificateFile: URL(fileURLWithPath: certificate),
        keyFile: key.map { URL(fileURLWithPath: $0) }, passphrase: passphrase)
      for request in requests {
        configuration.tls.identities[try HostPattern(request.origin.host)] = identity
      }
    }
  }

  /// What to say before a request goes out; `nil` when all is well.
  var warning: String? {
    guard insecure else { return nil }
    return pins.isEmpty
      ? "martlet: warning: Certificates are not checked; anybody could be answering."
      : "martlet: warning: Certificates are not checked, but for their pins."
  }
}
