import EssentialFoundation
import MartletCore
import X509

/// The names for which an authority may issue certificates (RFC 5280 §4.2.1.10).
///
/// A subtree applies to names of its own kind. Names of a kind that is constrained but not supported are not allowed.
struct NameSubtrees: Sendable {
  private let permitted: CertificateNames
  private let excluded: CertificateNames
  private let permittedDirectories: [DirectoryName]
  private let excludedDirectories: [DirectoryName]

  private struct Malformed: Error {}

  /// - Throws: When an address has no mask, or a mask that is not a network mask.
  init(_ constraints: NameConstraints) throws {
    permitted = CertificateNames(constraints.permittedSubtrees)
    excluded = CertificateNames(constraints.excludedSubtrees)
    permittedDirectories = permitted.directories.map(DirectoryName.init)
    excludedDirectories = excluded.directories.map(DirectoryName.init)
    let ranges = permitted.addresses + excluded.addresses
    guard ranges.allSatisfy(Self.isNetwork) else { throw Malformed() }
  }

  /// Whether bytes are an address and a mask of ones followed by zeros (RFC 4632 §5.1).
  private static func isNetwork(_ range: ArraySlice<UInt8>) -> Bool {
    guard range.count == 8 || range.count == 32 else { return false }
    let mask = range.suffix(range.count / 2).drop { $0 == 0xFF }
    guard let first = mask.first else { return true }
    return (~first).leadingZeroBitCount + first.trailingZeroBitCount == 8
      && mask.dropFirst().allSatisfy { $0 == 0 }
  }

  /// Whether all names are allowed.
  ///
  /// - Throws: When the budget is spent, or the task is cancelled.
  func allow(_ names: CertificateNames, _ budget: inout VerificationBudget)
    throws(VerificationStop) -> Bool
  {
    guard permitted.otherKinds.union(excluded.otherKinds).isDisjoint(with: names.otherKinds),
      try allow(names, \.domains, &budget, { $0.isWithin($1) }),
      try allow(names, \.addresses, &budget, { Self.isAddress($0, in: $1) }),
      try allow(names, \.mailAddresses, &budget, { $0.isWithin($1) })
    else { return false }
    guard try allowDirectories(names.directories, &budget) else { return false }
    return try allowURIs(names.uris, &budget)
  }

  private func allow<Name>(
    _ names: CertificateNames, _ kind: KeyPath<CertificateNames, [Name]>,
    _ budget: inout VerificationBudget, _ isWithin: (Name, Name) -> Bool
  ) throws(VerificationStop) -> Bool {
    try Self.allow(
      names[keyPath: kind], permitted[keyPath: kind], excluded[keyPath: kind], &budget, isWithin)
  }

  private static func allow<Name>(
    _ names: [Name], _ permitted: [Name], _ excluded: [Name], _ budget: inout VerificationBudget,
    _ isWithin: (Name, Name) -> Bool
  ) throws(VerificationStop) -> Bool {
    guard !permitted.isEmpty || !excluded.isEmpty else { return true }
    for name in names {
      try budget.count(comparisons: permitted.count + excluded.count)
      guard permitted.isEmpty || permitted.contains(where: { isWithin(name, $0) }),
        !excluded.contains(where: { isWithin(name, $0) })
      else { return false }
    }
    return true
  }

  private static func isAddress(_ address: ArraySlice<UInt8>, in range: ArraySlice<UInt8>) -> Bool {
    guard range.count == address.count * 2 else { return false }
    let (network, mask) = (range.prefix(address.count), range.suffix(address.count))
    return zip(zip(address, network), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
  }

  private func allowDirectories(_ names: [DistinguishedName], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> Bool
  {
    guard !permittedDirectories.isEmpty || !excludedDirectories.isEmpty else { return true }
    let names = names.map(DirectoryName.init)
    // A name that cannot be read may be an excluded one.
    guard excludedDirectories.isEmpty || names.allSatisfy(\.isReadable) else { return false }
    return try Self.allow(names, permittedDirectories, excludedDirectories, &budget) {
      $0.isWithin($1)
    }
  }

  /// Whether the hosts of all URIs are allowed. Where URIs are constrained, each must have a host that is a name.
  private func allowURIs(_ uris: [String], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> Bool
  {
    guard !permitted.uris.isEmpty || !excluded.uris.isEmpty else { return true }
    let hosts = uris.compactMap(Self.host)
    let (permitted, excluded) = (permitted.uris.map(DNSName.init), excluded.uris.map(DNSName.init))
    guard hosts.count == uris.count else { return false }
    return try Self.allow(hosts, permitted, excluded, &budget) { $0.isHost(in: $1) }
  }

  private static func host(of uri: String) -> DNSName? {
    guard let host = URLComponents(string: uri)?.host, !host.isEmpty, !HostAddress.isAddress(host)
    else { return nil }
    return DNSName(host)
  }
}
