import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// What a search for a chain costs, counted and not timed.
@Suite(.timeLimit(.minutes(5)))
struct ChainSearchTests {
  private let root: TemporaryAuthority

  init() throws {
    root = try TemporaryAuthority()
  }

  private func search(_ certificates: [[UInt8]], limit: Int = 100) throws -> (
    ChainSearch, ParsedCertificate
  ) {
    let peer = try PeerCertificates(certificates)
    let anchors = TrustAnchors([try #require(ParsedCertificate(root.root))])
    let budget = VerificationBudget(signatureChecks: limit)
    return (ChainSearch(anchors: anchors, others: peer.others, budget: budget), peer.leaf)
  }

  @Test func `a chain costs one signature check for each certificate below the root`() throws {
    let leaf = try root.intermediate().intermediate(commonName: "Second").leaf()
    var (search, own) = try search(leaf.certificates)
    let chain = try search.chain(from: own) { _, _ in true }
    #expect(chain?.map(\.der) == leaf.certificates + [root.root])
    #expect(search.budget.signatureChecks == 3)
  }

  @Test func `the issuer that a certificate names is tried first`() throws {
    let authority = try root.intermediate()
    let others = try (1...9).map { _ in try root.intermediate().intermediates[0] }
    let leaf = try authority.leaf().certificates
    var (search, own) = try search([leaf[0]] + others + [leaf[1]])
    #expect(try search.chain(from: own) { _, _ in true }?.count == 3)
    #expect(search.budget.signatureChecks == 2)
  }

  @Test func `certificates that differ in their alternative names alone cost one check each`()
    throws
  {
    let authority = try TemporaryAuthority(commonName: "Tangle")
    let copies = try (1...15).map {
      try authority.signed(by: authority, names: ["\($0).example.com"])
    }
    var (search, own) = try search(try authority.leaf().certificates + copies)
    #expect(try search.chain(from: own) { _, _ in true } == nil)
    #expect(search.budget.signatureChecks == 15)
    #expect(search.firstChain.count == 2)
  }

  @Test func `no more signatures are checked than the budget allows`() throws {
    var (search, own) = try search(try TangledChainTests.tangle())
    #expect(throws: VerificationStop.tooCostly(limit: "100 signature checks")) {
      try search.chain(from: own) { _, _ in true }
    }
    #expect(search.budget.signatureChecks == 100)
  }

  @Test func `with a larger budget the same search completes`() throws {
    var (search, own) = try search(try TangledChainTests.tangle(), limit: 10_000)
    #expect(try search.chain(from: own) { _, _ in true } == nil)
    #expect(search.budget.signatureChecks > 100)
  }

  @Test func `a chain that is refused does not make the search begin anew`() throws {
    var refusals = 0
    var (search, own) = try search(try root.intermediate().leaf().certificates)
    let chain = try search.chain(from: own) { _, _ in
      refusals += 1
      return false
    }
    #expect(chain == nil && refusals == 1)
    #expect(search.budget.signatureChecks == 2)
    #expect(search.firstChain.count == 2)
  }

  @Test func `a cancelled task checks nothing more`() async throws {
    let leaf = try root.leaf()
    let root = root.root
    let error = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await #expect(throws: MartletError.self) {
        let trust = ServerTrust(certificates: leaf.certificates, host: "localhost")
        try await TrustVerifier(.certificates([root])).evaluate(trust)
      }
    }.value
    #expect(error?.code == .cancelled)
  }
}
