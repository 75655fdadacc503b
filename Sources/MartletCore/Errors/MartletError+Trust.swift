/// Servers that are not who they should be.
extension MartletError {
  package static func tlsFailed(_ origin: Origin, underlying: any Error) -> MartletError {
    MartletError(
      .tlsFailed,
      "The TLS handshake with \(origin) failed: the server may not speak TLS on this port, or nothing newer than TLS 1.1.",
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
      "\(origin) wanted to agree on TLS a second time, which is not safe and not done: if it wants to see a client certificate, have it ask when the connection begins.",
      phase: phase, underlying: underlying)
  }

  /// An evaluator threw something of its own.
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
      "“\(text.masked)” is no version of TLS that can be asked for: it must read TLSv1.2 or TLSv1.3.",
      phase: .tls)
  }

  package static let contradictingVersions = MartletError(
    .invalidTLSOptions,
    "No version of TLS is left: `minimumVersion` is newer than `maximumVersion`, in `tls` or in the security policy.",
    phase: .tls)

  package static func invalidHostPattern(_ text: String) -> MartletError {
    MartletError(
      .invalidHostPattern,
      "“\(text.masked)” is no pattern of hosts: it must read example.com, *.example.com or **.example.com, without scheme, port or path.",
      phase: .tls)
  }

  package static func invalidPin(_ text: String) -> MartletError {
    MartletError(
      .invalidPin,
      "“\(text.masked)” is no pin: it must read sha256// and the SHA-256 of a public key in base64, which is 44 characters.",
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
