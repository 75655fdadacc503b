import ArgumentParser
import EssentialFoundation
import MartletEssentials

/// The options for verifying servers, and for the client certificate.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .customLong("cacert"),
    help: ArgumentHelp(
      "Trust the certificates in this file, in PEM or DER form, and no others.", valueName: "file"))
  var trustedCertificates: String?

  @Option(
    name: .customLong("pin"),
    help: ArgumentHelp(
      "Require a certificate with this public key. Of several pins, one must match. martlet certs prints the pins.",
      valueName: "sha256//..."))
  var pins: [String] = []

  @Option(
    name: .customLong("cert"),
    help: ArgumentHelp(
      "Send this client certificate, in PEM form, if the server of the URL requests one.",
      valueName: "file"))
  var certificate: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The private key of --cert. The default is the key in the same file.", valueName: "file"))
  var key: String?

  @Option(
    name: .customLong("pass"),
    help: ArgumentHelp(
      "The passphrase of the private key, if it is encrypted.", valueName: "phrase"))
  var passphrase: String?

  @Flag(
    name: .long,
    help: "Do not verify the server's certificate. Pins given with --pin still apply.")
  var insecure = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With no, the same as --insecure; with a file, the same as --cacert.", valueName: "no|file"))
  var verify: Verification?

  func validate() throws {
    if verify != nil, insecure || trustedCertificates != nil {
      throw ValidationError("--verify replaces --insecure and --cacert: leave them out.")
    }
    if insecure, trustedCertificates != nil {
      throw ValidationError("--insecure checks no certificate: leave out --cacert.")
    }
    if certificate == nil, key != nil {
      throw ValidationError("--key needs a certificate that it belongs to: add --cert.")
    }
    if certificate == nil, passphrase != nil {
      throw ValidationError("--pass is about the key of a certificate: add --cert.")
    }
    for pin in pins {
      do {
        _ = try PublicKeyPin.all(in: pin)
      } catch {
        throw ValidationError(error.message)
      }
    }
  }

  /// The file with the certificates to trust, if one was given.
  private var roots: String? { trustedCertificates ?? verify?.file }

  private var acceptsAnyCertificate: Bool { insecure || verify == .no }

  /// Applies the options to a session. The client certificate is presented to the hosts of `requests` only.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session.
  ///   - requests: The requests. Other hosts, to which redirects lead, do not receive the certificate.
  /// - Throws: `ToolFailure` when a file cannot be read; `MartletError` when certificates, keys or pins are not
  ///   valid.
  func apply(to configuration: inout SessionConfiguration, for requests: [Request]) throws {
    for path in [roots, certificate, key].compactMap(\.self) { try InputFile(path).check() }
    if let roots { configuration.tls.roots = .file(URL(fileURLWithPath: roots)) }
    configuration.tls.acceptsAnyCertificate = acceptsAnyCertificate
    for list in pins { configuration.securityPolicy.pins.formUnion(try PublicKeyPin.all(in: list)) }
    if let certificate {
      let identity = try ClientIdentity(
        certificateFile: URL(fileURLWithPath: certificate),
        keyFile: key.map { URL(fileURLWithPath: $0) }, passphrase: passphrase)
      for request in requests {
        configuration.tls.clientIdentities[try HostPattern(request.origin.host)] = identity
      }
    }
  }

  /// The warning to print before a request is sent; `nil` if the server's certificate is verified.
  var warning: String? {
    guard acceptsAnyCertificate else { return nil }
    return pins.isEmpty
      ? "martlet: warning: The server's certificate is not verified."
      : "martlet: warning: The server's certificate is not verified, apart from its pins."
  }
}

/// The value of `--verify`, as in HTTPie.
enum Verification: Equatable, ExpressibleByArgument {
  case yes
  case no
  case by(file: String)

  init(argument: String) {
    switch argument.lowercased() {
    case "yes", "true": self = .yes
    case "no", "false": self = .no
    default: self = .by(file: argument)
    }
  }

  /// The file with the certificates to trust; `nil` for `yes` and `no`.
  var file: String? { if case .by(let file) = self { file } else { nil } }
}
