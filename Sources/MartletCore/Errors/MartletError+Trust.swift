/// Servers that are not who they should be.
extension MartletError {
  package static func tlsFailed(_ origin: Origin, underlying: any Error) -> MartletError {
    MartletError(
      .tlsFailed,
      "The TLS handshake with \(origin) failed: the server may not speak TLS on this port, or nothing newer than TLS 1.1.",
      phase: .tls, underlying: underlying)
  }

  package static func certificateExpired(host: String, on date: String) -> MartletError {
    untrusted(.certificateExpired, host, "expired on \(date)")
  }

  package static func certificateNotYetValid(host: String, until date: String) -> MartletError {
    untrusted(.certificateNotYetValid, host, "is not valid before \(date)")
  }

  package static func certificateSelfSigned(host: String) -> MartletError {
    untrusted(.certificateSelfSigned, host, "is self-signed and not among the trusted")
  }

  package static func certificateUntrusted(host: String, underlying: (any Error)? = nil)
    -> MartletError
  {
    var error = untrusted(
      .certificateUntrusted, host, "was not issued by anybody who is trusted")
    if underlying != nil { error.underlying = underlying }
    return error
  }

  package static func certificateWrongHost(host: String, names: [String]) -> MartletError {
    let names = names.isEmpty ? "for no host at all" : "for \(names.joined(separator: ", "))"
    return untrusted(.certificateWrongHost, host, "is \(names)")
  }

  package static func invalidTrustRoots(_ source: String, underlying: (any Error)? = nil)
    -> MartletError
  {
    MartletError(
      .invalidTrustRoots,
      "No certificates could be read from \(source): it must hold certificates in PEM or DER form.",
      phase: .tls, underlying: underlying)
  }

  package static func noTrustRoots(at paths: [String]) -> MartletError {
    let places = paths.map { "“\($0)”" }.joined(separator: " or ")
    return MartletError(
      .invalidTrustRoots,
      "No trusted root certificates were found at \(places): install the package ca-certificates, or give roots with `tls.roots`.",
      phase: .tls)
  }

  /// `what` is wrong with the certificate: the rest of the sentence.
  private static func untrusted(_ code: Code, _ host: String, _ what: String) -> MartletError {
    MartletError(
      code,
      "The certificate of “\(host)” \(what): you might be connecting to a server that is pretending to be “\(host)”.",
      phase: .tls)
  }
}
