import SwiftASN1
import X509

/// The policy extensions of a certificate (RFC 5280 §4.2.1.4, 4.2.1.5, 4.2.1.11 and 4.2.1.14).
struct CertificatePolicies: Hashable, Sendable {
  /// Its policies except anyPolicy; `nil` when the extension is missing.
  var named: Set<String>?
  /// Whether anyPolicy is among its policies.
  var includesAny = false
  /// For each policy, the equivalent policies of the certificates below.
  var mappings: [String: Set<String>] = [:]
  /// After how many certificates below it a policy is required; `nil` when it requires none.
  var explicitAfter: Int?
  /// After how many certificates below it policies are no longer mapped; `nil` for no limit.
  var mappingInhibitedAfter: Int?
  /// After how many certificates below it anyPolicy no longer counts; `nil` for no limit.
  var anyInhibitedAfter: Int?

  static let any = "2.5.29.32.0"

  /// The number of entries to compare.
  var count: Int { (named?.count ?? 0) + mappings.count }
}

extension CertificatePolicies {
  enum Identifier {
    static let policies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    static let mappings: ASN1ObjectIdentifier = [2, 5, 29, 33]
    static let constraints: ASN1ObjectIdentifier = [2, 5, 29, 36]
    static let inhibitAny: ASN1ObjectIdentifier = [2, 5, 29, 54]
  }

  /// - Throws: When one of the extensions cannot be read.
  init(_ extensions: Certificate.Extensions) throws {
    self.init()
    if let value = extensions[oid: Identifier.policies]?.value { try readPolicies(value) }
    if let value = extensions[oid: Identifier.mappings]?.value { try readMappings(value) }
    if let value = extensions[oid: Identifier.constraints]?.value { try readConstraints(value) }
    if let value = extensions[oid: Identifier.inhibitAny]?.value {
      anyInhibitedAfter = try Self.count(DER.parse(value))
    }
  }

  /// `SEQUENCE OF SEQUENCE { policyIdentifier, policyQualifiers OPTIONAL }`: at least one, and none twice.
  private mutating func readPolicies(_ value: ArraySlice<UInt8>) throws {
    let policies = try Self.parts(DER.parse(value)).map { try Self.policy(Self.parts($0).first) }
    guard !policies.isEmpty, Set(policies).count == policies.count else { throw Malformed() }
    named = Set(policies.filter { $0 != Self.any })
    includesAny = policies.contains(Self.any)
  }

  /// `SEQUENCE OF SEQUENCE { issuerDomainPolicy, subjectDomainPolicy }`; neither is anyPolicy.
  private mutating func readMappings(_ value: ArraySlice<UInt8>) throws {
    for mapping in try Self.parts(DER.parse(value)) {
      let parts = try Self.parts(mapping)
      let (own, others) = (try Self.policy(parts.first), try Self.policy(parts.last))
      guard parts.count == 2, own != Self.any, others != Self.any else { throw Malformed() }
      mappings[own, default: []].insert(others)
    }
  }

  /// `SEQUENCE { requireExplicitPolicy [0] OPTIONAL, inhibitPolicyMapping [1] OPTIONAL }`.
  private mutating func readConstraints(_ value: ArraySlice<UInt8>) throws {
    let parts = try Self.parts(DER.parse(value))
    guard !parts.isEmpty else { throw Malformed() }
    for part in parts {
      switch part.identifier {
      case ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific):
        explicitAfter = try Self.count(part)
      case ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific):
        mappingInhibitedAfter = try Self.count(part)
      default: throw Malformed()
      }
    }
  }

  private struct Malformed: Error {}

  private static func parts(_ node: ASN1Node) throws -> [ASN1Node] {
    guard node.identifier == .sequence, let parts = node.parts else { throw Malformed() }
    return parts
  }

  private static func policy(_ node: ASN1Node?) throws -> String {
    guard let node else { throw Malformed() }
    return "\(try ASN1ObjectIdentifier(derEncoded: node))"
  }

  /// A number of certificates.
  private static func count(_ node: ASN1Node) throws -> Int {
    let count = try Int(derEncoded: node, withIdentifier: node.identifier)
    guard count >= 0 else { throw Malformed() }
    return count
  }
}
