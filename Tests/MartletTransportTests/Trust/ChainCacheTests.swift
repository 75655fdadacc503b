import Foundation
import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// What is remembered of chains that were right, and when that counts no more.
struct ChainCacheTests {
  private let authority: TemporaryAuthority
  private let anchors: TrustAnchors
  private let chain: [ParsedCertificate]
  private let key: ChainCache.Key
  private let cache = ChainCache()

  init() throws {
    authority = try TemporaryAuthority()
    let root = try #require(ParsedCertificate(authority.root))
    let now = Date()
    let leaf = try authority.leaf(
      for: ["example.com"], notBefore: now - 3600, notAfter: now + 3600)
    anchors = TrustAnchors([root])
    chain = [try #require(ParsedCertificate(leaf.certificates[0])), root]
    key = ChainCache.Key(
      certificates: leaf.certificates, host: "example.com", purpose: .server, pins: nil)
    cache.store(chain, for: key, anchors: anchors)
  }

  @Test func `a chain that was right is right again`() {
    #expect(cache.chain(for: key, anchors: anchors) == chain.map(\.der))
  }

  @Test func `but not when it has expired, nor before its time`() {
    for hours in [-2.0, 2] {
      let then = Date() + hours * 3600
      #expect(cache.chain(for: key, anchors: anchors, at: then) == nil)
    }
  }

  @Test func `nor under other anchors`() throws {
    let others = TrustAnchors([try #require(ParsedCertificate(authority.root))])
    #expect(cache.chain(for: key, anchors: others) == nil)
  }

  @Test func `nor when anything else is asked, or shown`() {
    let changes: [(inout ChainCache.Key) -> Void] = [
      { $0.host = "example.org" }, { $0.host = nil }, { $0.purpose = .any }, { $0.pins = [] },
      { $0.certificates.append([1, 2, 3]) },
    ]
    for change in changes {
      var other = key
      change(&other)
      #expect(cache.chain(for: other, anchors: anchors) == nil)
    }
  }

  @Test func `a chain that was refused is looked at again`() throws {
    let other = try TemporaryAuthority(commonName: "Somebody Else").leaf(for: ["example.com"])
    let trust = ServerTrust(certificates: other.certificates, host: "example.com")
    let verifier = try TrustVerifier(.certificates([authority.root]))
    for _ in 1...2 {
      let verdict = try verifier.verify(trust, host: trust.host)
      #expect(verdict.problems == [TrustProblem(.unknownAuthority)])
    }
  }

  @Test func `a trust has its chain and verdict the second time as well`() throws {
    let leaf = try authority.intermediate().leaf(for: ["example.com"])
    let trust = ServerTrust(certificates: leaf.certificates, host: "example.com")
    let verifier = try TrustVerifier(.certificates([authority.root]))
    let first = try verifier.verify(trust, host: trust.host)
    #expect(first.isTrusted && first.chain.count == 3)
    #expect(try verifier.verify(trust, host: trust.host) == first)
  }
}
