/// Errors of client certificates.
extension MartletError {
  package static func identityNotReadable(_ path: String, underlying: any Error) -> MartletError {
    invalidIdentity(
      "“\(path)” cannot be read: check that it is there and may be read.", underlying)
  }

  package static func identityNotPEM(_ path: String) -> MartletError {
    invalidIdentity(
      "“\(path)” is not in PEM form, but perhaps a PKCS #12 bundle: convert it with `openssl pkcs12 -in \(path) -out client.pem -nodes`."
    )
  }

  package static func identityWithoutCertificate(_ name: String) -> MartletError {
    invalidIdentity("\(name) holds no certificate in PEM form, or the certificate cannot be read.")
  }

  package static func identityWithoutKey(_ name: String) -> MartletError {
    invalidIdentity("\(name) holds no private key in PEM form.")
  }

  package static func passphraseMissing(_ name: String) -> MartletError {
    invalidIdentity("The private key in \(name) is encrypted: give its passphrase.")
  }

  package static let passphraseNotASCII = invalidIdentity(
    "The passphrase has characters that are not ASCII, which cannot be used: encrypt the private key with another."
  )

  package static func passphraseWrong(_ name: String, underlying: any Error) -> MartletError {
    invalidIdentity(
      "The private key in \(name) cannot be decrypted: the passphrase is wrong, or the key is broken.",
      underlying)
  }

  package static func keyNotReadable(_ name: String, underlying: any Error) -> MartletError {
    invalidIdentity("The private key in \(name) cannot be read.", underlying)
  }

  package static func keyMismatch(
    _ key: String, _ certificate: String, underlying: any Error
  ) -> MartletError {
    invalidIdentity(
      "The private key in \(key) is not that of the first certificate in \(certificate).",
      underlying)
  }

  private static func invalidIdentity(_ message: String, _ underlying: (any Error)? = nil)
    -> MartletError
  {
    MartletError(.invalidClientIdentity, message, phase: .tls, underlying: underlying)
  }

  /// The code that provides a client certificate failed.
  package static func noClientCertificate(_ host: String, underlying: any Error) -> MartletError {
    underlying as? MartletError
      ?? invalidIdentity(
        "No client certificate could be provided for “\(host)”: \(underlying).", underlying)
  }

  /// The server requested a client certificate and then closed the connection.
  package static func clientCertificate(_ origin: Origin, wasShown: Bool, underlying: any Error)
    -> MartletError
  {
    guard wasShown else {
      return MartletError(
        .clientCertificateRequired,
        "\(origin) requires a client certificate: set one for “\(origin.host)” in `tls.clientIdentities`.",
        phase: .tls, underlying: underlying)
    }
    return MartletError(
      .clientCertificateRefused,
      "\(origin) does not accept the client certificate: check that it was issued by an authority that the server trusts, and that it has not expired.",
      phase: .tls, underlying: underlying)
  }
}
