import Foundation
import Martlet
import MartletTesting
import Testing

/// Every kind of chain under every kind of policy.
@Suite(.timeLimit(.minutes(5)))
struct VerdictTableTests {
  /// The policies under which each chain is evaluated.
  enum Column: String, CaseIterable, Sendable {
    case strict
    case nameless
    case anything
    case pinned
    case pinnedIssuer
    case keyOnly
    case wrongPin

    /// The policy, for a chain that begins with `leaf` and should end with `root`.
    func policy(leaf: [UInt8], root: [UInt8]) throws -> SecurityPolicy {
      var policy = SecurityPolicy()
      switch self {
      case .pinnedIssuer:
        policy = try SecurityPolicy(
          pinningMode: .certificate, pinnedCertificates: [Data(root)])
      case .strict: break
      case .nameless: policy.validatesDomainName = false
      case .anything:
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
      case .pinned: policy.pins = [try #require(PublicKeyPin(of: leaf))]
      case .keyOnly:
        policy.pins = [try #require(PublicKeyPin(of: leaf))]
        policy.allowInvalidCertificates = true
      case .wrongPin:
        policy.pins = [try #require(PublicKeyPin(digest: Array(repeating: 0, count: 32)))]
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
      }
      return policy
    }

    /// The chains that the policy accepts.
    var accepted: Set<ChainKind> {
      let valid: Set<ChainKind> = [.valid, .wildcard, .address, .extraCertificates, .shuffled]
      let all = Set(ChainKind.allCases)
      switch self {
      case .strict, .pinned, .pinnedIssuer: return valid
      // Neither the name nor the purpose is checked (SEC-7).
      case .nameless:
        return valid.union([.wrongHost, .noAlternativeNames, .forClients, .wrongKeyUsage])
      case .anything: return all
      // The certificate with a short key is rejected before its key is compared with the pins.
      case .keyOnly: return all.subtracting([.shortKey])
      case .wrongPin: return []
      }
    }
  }

  @Test func `each policy lets in what it should, and no other chain`() async throws {
    let authority = try TemporaryAuthority()
    var table = [Self.row("", Column.allCases.map(\.rawValue))]
    for kind in ChainKind.allCases {
      let certificates = try kind.certificates(under: authority)
      let trust = ServerTrust(certificates: certificates, host: kind.host)
      var cells: [String] = []
      for column in Column.allCases {
        var policy = try column.policy(leaf: certificates[0], root: authority.root)
        policy.roots = .certificates([authority.root])
        let verdict = try await policy.evaluation(of: trust, forHost: kind.host)
        #expect(
          verdict.isTrusted == column.accepted.contains(kind), "\(kind) under \(column)")
        // A refusal always has a reason.
        #expect(verdict.isTrusted == verdict.problems.isEmpty)
        cells.append(verdict.error.map { "\($0.code)" } ?? "trusted")
      }
      table.append(Self.row(kind.rawValue, cells))
    }
    print(table.joined(separator: "\n"))
  }

  private static func row(_ name: String, _ cells: [String]) -> String {
    ([name] + cells).map { $0.padding(toLength: 24, withPad: " ", startingAt: 0) }.joined()
  }
}
