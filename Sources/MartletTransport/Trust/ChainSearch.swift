/// Looks for chains from a server's certificate up to an anchor, depth first (RFC 4158 §2.4.2).
///
/// Each certificate of a chain is signed by the next. Whether a chain is right otherwise is for the caller to say.
struct ChainSearch {
  private let anchors: TrustAnchors
  private let others: [ParsedCertificate]
  var budget: VerificationBudget
  /// The first way that was tried, as far as it went.
  private(set) var firstChain: [ParsedCertificate] = []
  private var hasTurnedBack = false

  /// - Parameters:
  ///   - anchors: Where chains end.
  ///   - others: What may lie between, in any order.
  ///   - budget: What the search may cost, and what is asked of chains with it.
  init(anchors: TrustAnchors, others: [ParsedCertificate], budget: VerificationBudget) {
    (self.anchors, self.others, self.budget) = (anchors, others, budget)
  }

  /// Asks something of a chain to an anchor.
  typealias Condition = (_ chain: [ParsedCertificate], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> Bool

  /// The first chain that meets a condition; `nil` when there is none.
  ///
  /// - Throws: When the budget is spent.
  mutating func chain(from leaf: ParsedCertificate, where isRight: Condition)
    throws(VerificationStop) -> [ParsedCertificate]?
  {
    firstChain = [leaf]
    // A certificate that is trusted itself needs no issuer.
    if anchors.contain(leaf), try isRight([leaf], &budget) { return [leaf] }
    return try chain(extending: [leaf], where: isRight)
  }

  private mutating func chain(extending chain: [ParsedCertificate], where isRight: Condition)
    throws(VerificationStop) -> [ParsedCertificate]?
  {
    if !hasTurnedBack { firstChain = chain }
    guard let tip = chain.last else { return nil }
    let roots = anchors.named(tip.issuer)
    for root in Self.likelyFirst(roots, for: tip) {
      guard try isIssuer(root, of: chain) else { continue }
      if try isRight(chain + [root], &budget) { return chain + [root] }
    }
    let above = others.filter { $0.subject == tip.issuer && !roots.contains($0) }
    for issuer in Self.likelyFirst(above, for: tip) {
      guard try isIssuer(issuer, of: chain) else { continue }
      if let found = try self.chain(extending: chain + [issuer], where: isRight) { return found }
    }
    hasTurnedBack = true
    return nil
  }

  /// Whether a certificate continues a chain. A subject's key that is in it already leads nowhere new.
  private mutating func isIssuer(_ issuer: ParsedCertificate, of chain: [ParsedCertificate])
    throws(VerificationStop) -> Bool
  {
    guard let tip = chain.last, !chain.contains(where: issuer.isAlike) else { return false }
    try budget.countSignatureCheck()
    return tip.isSigned(by: issuer)
  }

  /// Those whose key has the identifier that a certificate names come first, and those with another come last.
  private static func likelyFirst(_ issuers: [ParsedCertificate], for tip: ParsedCertificate)
    -> [ParsedCertificate]
  {
    guard issuers.count > 1, let wanted = tip.extensions.issuerKeyIdentifier else { return issuers }
    let hasWanted = issuers.filter { $0.extensions.keyIdentifier == wanted }
    let hasNone = issuers.filter { $0.extensions.keyIdentifier == nil }
    let hasOther = issuers.filter { ![wanted, nil].contains($0.extensions.keyIdentifier) }
    return hasWanted + hasNone + hasOther
  }
}
