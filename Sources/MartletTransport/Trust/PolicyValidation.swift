/// Validates certificate policies from an anchor down to a server, for which any policy suffices (RFC 5280 §6.1).
///
/// The tree of valid policies is kept as the set of policies that the next certificate may have. That suffices to
/// check whether any policy is left where one is required.
struct PolicyValidation {
  /// The policies that are still allowed; `nil` for any.
  private var allowed: Set<String>?
  /// How many more certificates may have no policy, may have their policies mapped, and may use anyPolicy: the state
  /// variables of §6.1.2 (d) to (f).
  private var explicitPolicy: Int
  private var policyMapping: Int
  private var inhibitAnyPolicy: Int

  /// - Parameter length: The number of certificates below the anchor.
  private init(length: Int) {
    (explicitPolicy, policyMapping, inhibitAnyPolicy) = (length + 1, length + 1, length + 1)
  }

  /// Whether no policy is required, or there is one that all certificates allow.
  ///
  /// - Parameter path: The policies of the certificates below the anchor, the server's own last, and whether each is
  ///   self-issued.
  /// - Returns: Whether that is true for the whole path.
  static func isAllowed(_ path: [(policies: CertificatePolicies, isSelfIssued: Bool)]) -> Bool {
    // Only this field makes a policy required.
    guard path.contains(where: { $0.policies.explicitAfter != nil }) else { return true }
    var validation = PolicyValidation(length: path.count)
    for (position, step) in path.enumerated() {
      let isLast = position == path.count - 1
      validation.narrow(
        step.policies,
        countsAny: validation.inhibitAnyPolicy > 0 || !isLast && step.isSelfIssued)
      guard validation.isAllowed else { return false }
      if !isLast { validation.map(step.policies.mappings) }
      validation.count(step.policies, isCounted: isLast || !step.isSelfIssued)
    }
    return validation.isAllowed
  }

  private var isAllowed: Bool { explicitPolicy > 0 || allowed?.isEmpty != true }

  /// Steps (d) and (e) of §6.1.3.
  private mutating func narrow(_ policies: CertificatePolicies, countsAny: Bool) {
    guard let named = policies.named else { return allowed = [] }
    guard !policies.includesAny || !countsAny else { return }
    allowed = allowed?.intersection(named) ?? named
  }

  /// Steps (a) and (b) of §6.1.4.
  private mutating func map(_ mappings: [String: Set<String>]) {
    guard let before = allowed else { return }
    let mapped = mappings.filter { before.contains($0.key) }
    allowed = before.subtracting(mapped.keys)
    if policyMapping > 0 { allowed?.formUnion(mapped.values.joined()) }
  }

  /// Steps (h) to (j) of §6.1.4, and (a) and (b) of §6.1.5.
  private mutating func count(_ policies: CertificatePolicies, isCounted: Bool) {
    if isCounted {
      (explicitPolicy, policyMapping, inhibitAnyPolicy) = (
        max(explicitPolicy - 1, 0), max(policyMapping - 1, 0), max(inhibitAnyPolicy - 1, 0)
      )
    }
    explicitPolicy = min(explicitPolicy, policies.explicitAfter ?? explicitPolicy)
    policyMapping = min(policyMapping, policies.mappingInhibitedAfter ?? policyMapping)
    inhibitAnyPolicy = min(inhibitAnyPolicy, policies.anyInhibitedAfter ?? inhibitAnyPolicy)
  }
}
