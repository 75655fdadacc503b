/// Searches for chains from a server's certificate up to an anchor, depth first (RFC 4158 §2.4.2).
///
/// Each certificate of a chain is signed by the next. The caller checks everything else.
struct ChainSearch {
  private let anchors: TrustAnchors
  private let others: [ParsedCertificate]
  var budget: VerificationBudget
  /// The first path that was tried, as far as issuers were found.
  private(set) var firstChain: [ParsedCertificate] = []
  private var hasBacktracked = false

  /// - Parameters:
  ///   - anchors: The certificates at which chains end.
  ///   - others: The certificates that may lie between, in any order.
  ///   - budget: The limits for the search and for the conditions on chains.
  init(anchors: TrustAnchors, others: [ParsedCertificate], budget: VerificationBudget) {
    (self.anchors, self.others, self.budget) = (anchors, others, budget)
  }

  /// Checks a chain that ends at an anchor.
  typealias Condition = (_ chain: [ParsedCertificate], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> Bool

  /// The first chain that meets a condition; `nil` when there is none.
  ///
  /// - Throws: When the budget is spent, or the task is cancelled.
  mutating func chain(from leaf: ParsedCertificate, where isValid: Condition)
    throws(VerificationStop) -> [ParsedCertificate]?
  {
    firstChain = [leaf]
    // A certificate that is trusted itself needs no issuer.
    if anchors.contain(leaf), try isValid([leaf], &budget) { return [leaf] }
    return try chain(extending: [leaf], where: isValid)
  }

  private mutating func chain(extending chain: [ParsedCertificate], where isValid: Condition)
    throws(VerificationStop) -> [ParsedCertificate]?
  {
    if !hasBacktracked { firstChain = chain }
    guard let tip = chain.last else { return nil }
    let roots = anchors.named(tip.issuer)
    for root in Self.sortedByKeyIdentifier(roots, for: tip) {
      guard try isIssuer(root, of: chain) else { continue }
      if try isValid(chain + [root], &budget) { return chain + [root] }
    }
    let above = others.filter { $0.subject == tip.issuer && !roots.contains($0) }
    for issuer in Self.sortedByKeyIdentifier(above, for: tip) {
      guard try isIssuer(issuer, of: chain) else { continue }
      if let found = try self.chain(extending: chain + [issuer], where: isValid) { return found }
    }
    hasBacktracked = true
    return nil
  }

  /// Whether a certificate continues a chain.
  ///
  /// A certificate whose subject and key are in the chain already leads to no new chain.
  private mutating func isIssuer(_ issuer: ParsedCertificate, of chain: [ParsedCertificate])
    throws(VerificationStop) -> Bool
  {
    guard let tip = chain.last, !chain.contains(where: issuer.hasSameSubjectAndKey) else {
      return false
    }
    try budget.countSignatureCheck()
    return tip.isSigned(by: issuer)
  }

  /// Sorts issuers: those with the key identifier that a certificate names come first, those with another one last.
  private static func sortedByKeyIdentifier(
    _ issuers: [ParsedCertificate], for tip: ParsedCertificate
  ) -> [ParsedCertificate] {
    guard issuers.count > 1, let wanted = tip.extensions.issuerKeyIdentifier else { return issuers }
    let hasWanted = issuers.filter { $0.extensions.keyIdentifier == wanted }
    let hasNone = issuers.filter { $0.extensions.keyIdentifier == nil }
    let hasOther = issuers.filter { ![wanted, nil].contains($0.extensions.keyIdentifier) }
    return hasWanted + hasNone + hasOther
  }
}
