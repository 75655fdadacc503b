/// Errors of TLS and of the trust in servers.
extension MartletError {
  package static func tlsFailed(_ origin: Origin, underlying: any Error) -> MartletError {
    MartletError(
      .tlsFailed,
      "The TLS handshake with \(origin) failed: the server may use no TLS on this port, or no version newer than TLS 1.1.",
      phase: .tls, underlying: underlying)
  }

  package static func noCommonVersion(_ origin: Origin) -> MartletError {
    MartletError(
      .tlsFailed,
      "The TLS handshake with \(origin) failed: the server speaks no version of TLS that `minimumVersion` and `maximumVersion` allow, in `tls` or in the security policy.",
      phase: .tls)
  }

  package static func noCommonAlgorithm(_ origin: Origin) -> MartletError {
    MartletError(
      .tlsFailed,
      "The TLS handshake with \(origin) failed: the server supports none of the ciphers and signatures that are offered, such as AES-128-GCM and SHA-256.",
      phase: .tls)
  }

  package static func closedDuringHandshake(_ origin: Origin, underlying: any Error)
    -> MartletError
  {
    var error = MartletError(
      .tlsFailed,
      "The TLS handshake with \(origin) failed: the server closed the connection before it was secure. Try again, or check that it speaks TLS on this port.",
      phase: .tls, underlying: underlying)
    error.isSafeToRetry = true
    return error
  }

  package static func renegotiation(
    _ origin: Origin, phase: Phase, underlying: any Error
  ) -> MartletError {
    MartletError(
      .tlsFailed,
      "\(origin) requested a TLS renegotiation, which is not supported because it is not safe: if it requires a client certificate, have it request one in the first handshake.",
      phase: phase, underlying: underlying)
  }

  /// A trust evaluator threw an error of another type.
  package static func notTrusted(_ host: String, underlying: any Error) -> MartletError {
    var error = TrustProblem(.refusedByApplication).error(host: host)
    error.underlying = underlying
    return error
  }

  package static func invalidTLSOptions(underlying: any Error) -> MartletError {
    MartletError(
      .invalidTLSOptions, "The TLS options cannot be used: \(underlying).", phase: .tls,
      underlying: underlying)
  }

  package static func unknownTLSVersion(_ text: String) -> MartletError {
    MartletError(
      .invalidTLSOptions,
      "“\(text.masked)” is not a supported TLS version: it must be TLSv1.2 or TLSv1.3.",
      phase: .tls)
  }

  package static let contradictingVersions = MartletError(
    .invalidTLSOptions,
    "No version of TLS is left: `minimumVersion` is newer than `maximumVersion`, in `tls` or in the security policy.",
    phase: .tls)

  package static func invalidHostPattern(_ text: String) -> MartletError {
    MartletError(
      .invalidHostPattern,
      "“\(text.masked)” is not a host pattern: it must read example.com, *.example.com or **.example.com, without scheme, port or path.",
      phase: .tls)
  }

  package static func invalidPin(_ text: String) -> MartletError {
    MartletError(
      .invalidPin,
      "“\(text.masked)” is not a pin: it must read sha256// and the SHA-256 of a public key in base64, which is 44 characters.",
      phase: .tls)
  }

  package static func invalidTrustRoots(_ source: String, underlying: (any Error)? = nil)
    -> MartletError
  {
    MartletError(
      .invalidTrustRoots,
      "No certificates could be read from \(source): it must hold certificates in PEM or DER form.",
      phase: .tls, underlying: underlying)
  }

  package static func unreadableRoot(number: Int) -> MartletError {
    MartletError(
      .invalidTrustRoots,
      "Certificate \(number) of the roots given cannot be read: it must be in DER form; `CertificateReader` reads PEM files.",
      phase: .tls)
  }

  package static func noTrustRoots(at paths: [String]) -> MartletError {
    let places = paths.map { "“\($0)”" }.joined(separator: " or ")
    return MartletError(
      .invalidTrustRoots,
      "No trusted root certificates were found at \(places): install the package ca-certificates, or give roots with `tls.roots`.",
      phase: .tls)
  }
}
