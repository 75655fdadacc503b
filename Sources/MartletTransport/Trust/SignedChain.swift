import X509

/// The chain from a server's certificate upwards, as far as each is signed by the next.
///
/// It says who has vouched for whom, and nothing about whether anybody is trusted.
enum SignedChain {
  static func from(_ peer: PeerCertificates, anchors: TrustAnchors) -> [Certificate] {
    var chain = [peer.leaf]
    while let tip = chain.last, !tip.isSelfIssued,
      let issuer = issuer(of: tip, among: anchors.named(tip.issuer))
        ?? issuer(of: tip, among: peer.others),
      !chain.contains(issuer)
    {
      chain.append(issuer)
    }
    return chain
  }

  private static func issuer(of certificate: Certificate, among others: [Certificate])
    -> Certificate?
  {
    others.first {
      $0.subject == certificate.issuer
        && $0.publicKey.isValidSignature(certificate.signature, for: certificate)
    }
  }
}
