import Foundation
import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// Each way in which a chain can be wrong, and what is said about it.
struct VerdictTests {
  /// A chain, and the sentence about it up to the colon; `nil` when it is trusted.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let sentence: String?
    let make: @Sendable (TemporaryAuthority) throws -> ServerTrust

    init(
      _ name: String, _ sentence: String?, host: String = "example.com",
      _ make: @escaping @Sendable (TemporaryAuthority) throws -> CertifiedKey
    ) {
      self.init(name, sentence, host: host) { try make($0).certificates }
    }

    init(
      _ name: String, _ sentence: String?, host: String = "example.com",
      ders make: @escaping @Sendable (TemporaryAuthority) throws -> [[UInt8]]
    ) {
      (self.name, self.sentence) = (name, sentence)
      self.make = { ServerTrust(certificates: try make($0), host: host) }
    }

    var testDescription: String { name }
  }

  private static let past = Date(timeIntervalSince1970: 86_400 * 365)
  private static let future = Date(timeIntervalSince1970: 4_102_444_800)

  static let cases: [Case] = [
    Case("good", nil) { try $0.leaf(for: ["example.com"]) },
    Case("good, two intermediates", nil) {
      try $0.intermediate().intermediate(commonName: "Second").leaf(for: ["example.com"])
    },
    Case("RSA of 2048 bits", nil) {
      try $0.leaf(for: ["example.com"], traits: CertificateTraits { $0.key = .rsa(bits: 2048) })
    },
    Case("wildcard", nil) { try $0.leaf(for: ["*.example.com"]) }
      .asking("www.example.com"),
    Case("wildcard two labels up", "is for “*.example.com”") {
      try $0.leaf(for: ["*.example.com"])
    }.asking("a.b.example.com"),
    Case("wildcard for its own domain", "is for “*.example.com”") {
      try $0.leaf(for: ["*.example.com"])
    },
    Case("address", nil) { try $0.leaf(for: ["10.0.0.1"]) }.asking("10.0.0.1"),
    Case("IPv6 address with a zone", nil) { try $0.leaf(for: ["fe80::1"]) }.asking("fe80::1%eth0"),
    Case("name that looks like an address", "is for “example.com”") {
      try $0.leaf(for: ["example.com"])
    }.asking("10.0.0.1"),
    Case("dot at the end of the host", nil) { try $0.leaf(for: ["example.com"]) }
      .asking("example.com."),
    Case("expired", "expired on 1971-01-01") {
      try $0.leaf(
        for: ["example.com"], notBefore: Date(timeIntervalSince1970: 0), notAfter: past)
    },
    Case("not yet valid", "is not valid before 2100-01-01") {
      try $0.leaf(for: ["example.com"], notBefore: future, notAfter: future + 86_400)
    },
    Case("wrong host", "is for “example.org”") { try $0.leaf(for: ["example.org"]) },
    Case("no alternative names", "is for no host at all") {
      try $0.leaf(for: ["example.com"], includesAlternativeNames: false)
    },
    Case("empty list of alternative names", "is for no host at all") {
      try $0.leaf(
        for: ["example.com"], includesAlternativeNames: false,
        traits: CertificateTraits { $0.hasEmptyAlternativeNames = true })
    },
    Case("self-signed", "is self-signed and not trusted") { _ in
      try TemporaryAuthority.selfSigned(commonName: "example.com", names: ["example.com"])
    },
    Case("unknown root", "was not issued by a trusted authority") { _ in
      try TemporaryAuthority(commonName: "Somebody Else").leaf(for: ["example.com"])
    },
    Case(
      "missing intermediate", "was not issued by a trusted authority",
      ders: {
        [try $0.intermediate().leaf(for: ["example.com"]).certificates[0]]
      }),
    Case(
      "extra certificates", nil,
      ders: {
        try $0.intermediate().leaf(for: ["example.com"]).certificates
          + TemporaryAuthority().leaf().certificates + [$0.root]
      }),
    Case(
      "shuffled certificates", nil,
      ders: {
        var ders = try $0.intermediate().intermediate(commonName: "Second")
          .leaf(for: ["example.com"]).certificates
        ders.swapAt(1, 2)
        return ders
      }),
    Case("only for clients", "is not meant for servers") {
      try $0.leaf(for: ["example.com"], purposes: [.client])
    },
    Case("key for certificates only", "has a key that may not be used for TLS") {
      try $0.leaf(
        for: ["example.com"], traits: CertificateTraits { $0.signsCertificatesOnly = true })
    },
    Case("signed with SHA-1", "is signed with SHA-1, which is no longer secure") {
      try $0.rsaIntermediate().leaf(
        for: ["example.com"], traits: CertificateTraits { $0.signature = .sha1 })
    },
    Case("RSA of 1024 bits", "has an RSA key of 1024 bits, which is too short") {
      try $0.leaf(for: ["example.com"], traits: CertificateTraits { $0.key = .rsa(bits: 1024) })
    },
    Case(
      "unknown critical extension",
      "has the critical extension 1.3.6.1.4.1.99999.1, which is unknown"
    ) {
      try $0.leaf(
        for: ["example.com"], traits: CertificateTraits { $0.hasUnknownExtension = true })
    },
    Case("not a certificate", "cannot be read", ders: { _ in [Array("no certificate".utf8)] }),
    Case(
      "no certificate that can be read, but none is needed", nil,
      ders: {
        try $0.leaf(for: ["example.com"]).certificates + [[1, 2, 3]]
      }),
  ]

  static let casesAbove: [Case] = [
    Case("intermediate expired", "expired on 1971-01-01") {
      try $0.intermediate(notBefore: Date(timeIntervalSince1970: 0), notAfter: past)
        .leaf(for: ["example.com"])
    },
    Case("not a CA", "has issued another certificate, but is not an authority’s") {
      try $0.intermediate(traits: CertificateTraits { $0.isAuthority = false })
        .leaf(for: ["example.com"])
    },
    Case("may not sign", "has issued another certificate, but its key may not sign certificates") {
      try $0.intermediate(traits: CertificateTraits { $0.signsCertificatesOnly = false })
        .leaf(for: ["example.com"])
    },
    Case("short key", "has an RSA key of 1024 bits, which is too short") {
      try $0.intermediate(traits: CertificateTraits { $0.key = .rsa(bits: 1024) })
        .leaf(for: ["example.com"])
    },
    Case("path too long", "allows 0 authorities below it, and there are more") {
      try $0.intermediate(traits: CertificateTraits { $0.pathLength = 0 })
        .intermediate(commonName: "Second").leaf(for: ["example.com"])
    },
  ]

  @Test(arguments: cases)
  func `the server's certificate is trusted, or it is said why not`(_ test: Case) throws {
    let authority = try TemporaryAuthority()
    let trust = try test.make(authority)
    let verdict = try verify(trust, authority)
    let danger = "you might be connecting to a server that is pretending to be “\(trust.host)”."
    let sentence = test.sentence.map { "The certificate of “\(trust.host)” \($0): \(danger)" }
    #expect(verdict.error?.message == sentence)
    #expect(verdict.isTrusted == (sentence == nil))
  }

  @Test(arguments: casesAbove)
  func `what is wrong above the server's certificate is said of its subject`(_ test: Case)
    throws
  {
    let authority = try TemporaryAuthority()
    let verdict = try verify(try test.make(authority), authority)
    let sentence = try #require(test.sentence)
    #expect(
      verdict.error?.message
        == "The certificate of “Temporary Intermediate”, above that of “example.com”, \(sentence): you might be connecting to a server that is pretending to be “example.com”."
    )
  }

  @Test func `an authority issues no names but those that it may`() throws {
    let authority = try TemporaryAuthority()
    let bound = try authority.intermediate(
      traits: CertificateTraits { $0.permittedDomains = ["example.org"] })
    let permitted = try bound.leaf(for: ["www.example.org"])
    let trust = ServerTrust(certificates: permitted.certificates, host: "www.example.org")
    #expect(try verify(trust, authority).isTrusted)

    let other = ServerTrust(
      certificates: try bound.leaf(for: ["example.com"]).certificates, host: "example.com")
    #expect(try verify(other, authority).problems == [TrustProblem(.nameNotPermitted)])
  }

  @Test func `all that is wrong is listed, the weightiest first`() throws {
    let authority = try TemporaryAuthority()
    let other = try TemporaryAuthority(commonName: "Somebody Else").leaf(for: ["example.org"])
    let trust = ServerTrust(certificates: other.certificates, host: "example.com")
    let verdict = try verify(trust, authority)
    #expect(
      verdict.problems == [
        TrustProblem(.unknownAuthority), TrustProblem(.wrongHost(names: ["example.org"])),
      ])
    #expect(verdict.error?.trust == verdict)
  }

  @Test func `the chain reaches up to the root, which the server did not send`() throws {
    let authority = try TemporaryAuthority()
    let leaf = try authority.intermediate().leaf(for: ["example.com"])
    let trust = ServerTrust(certificates: leaf.certificates, host: "example.com")
    #expect(try verify(trust, authority).chain == leaf.certificates + [authority.root])
  }

  @Test func `chains that are too long, broken or empty are refused in words`() throws {
    let authority = try TemporaryAuthority()
    let leaf = try authority.leaf(for: ["example.com"]).certificates
    let trust = ServerTrust(
      certificates: leaf + Array(repeating: authority.root, count: 99), host: "example.com")
    let verdict = try verify(trust, authority)
    #expect(
      verdict.error?.message
        == "“example.com” sent 100 certificates, more than any server needs: you might be connecting to a server that is pretending to be “example.com”."
    )
    let unreadable = ServerTrust(
      certificates: [try authority.intermediate().leaf().certificates[0], [1, 2, 3]],
      host: "localhost")
    #expect(
      try verify(unreadable, authority).error?.message
        == "A certificate that “localhost” sent cannot be read: you might be connecting to a server that is pretending to be “localhost”."
    )
    let nothing = ServerTrust(certificates: [], host: "example.com")
    #expect(
      try verify(nothing, authority).error?.message
        == "“example.com” sent no certificate: you might be connecting to a server that is pretending to be “example.com”."
    )
  }

  @Test func `an anchor that is meant for clients alone issues no server's certificate`() throws {
    let clients = CertificateTraits {
      $0.extensions = [
        .init(
          "2.5.29.37", isCritical: false,
          value: DERValue.sequence([[0x06, 0x08, 0x2B, 6, 1, 5, 5, 7, 3, 2]]))
      ]
    }
    for authority in [
      try TemporaryAuthority(traits: clients),
      try TemporaryAuthority().intermediate(traits: clients),
    ] {
      let leaf = try authority.leaf(for: ["example.com"])
      #expect(try authority.verdict(on: leaf).problems.map(\.kind) == [.notForServers])
    }
  }

  @Test func `a long list of names is cut short in the sentence`() throws {
    let authority = try TemporaryAuthority()
    let leaf = try authority.leaf(for: (1...1_000).map { "host\($0).example" })
    let verdict = try authority.verdict(on: leaf)
    let message = try #require(verdict.error?.message)
    #expect(message.contains("“host20.example” and 980 more: you might be"))
    #expect(!message.contains("host21."))
  }

  /// CA:FALSE written out is what many issuers write, though the default is to be left out (X.690 §11.5).
  @Test func `a certificate that writes out that it is no authority's is one`() throws {
    let authority = try TemporaryAuthority()
    let leaf = try authority.leaf(
      for: ["example.com"],
      traits: CertificateTraits {
        $0.hasBasicConstraints = false
        $0.extensions = [
          .init("2.5.29.19", isCritical: true, value: [0x30, 0x03, 0x01, 0x01, 0x00])
        ]
      })
    #expect(try authority.verdict(on: leaf).isTrusted)
  }

  @Test func `the algorithm that is signed must be the one that is named (RFC 5280 §4.1.1.2)`()
    throws
  {
    let der = try TemporaryAuthority().root
    #expect(ParsedCertificate(der) != nil)
    // The last number of ecdsa-with-SHA256, in what is signed.
    let identifier: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]
    let start = try #require(der.firstRange(of: identifier)).lowerBound
    var other = der
    other[start + 7] = 3
    #expect(ParsedCertificate(other) == nil)
  }

  /// An authority that another has signed as well, when its own root was not in every store yet.
  @Test func `where two chains lead to a root, the one with the pinned key is found`() throws {
    let (new, old) = (try TemporaryAuthority(), try TemporaryAuthority(commonName: "Old Root"))
    let crossSigned = try new.signed(by: old)
    let leaf = try new.leaf(for: ["example.com"]).certificates
    let trust = ServerTrust(certificates: leaf + [crossSigned], host: "example.com")
    let verifier = try TrustVerifier(.certificates([new.root, old.root]))
    for root in [new.root, old.root] {
      let pin = try #require(PublicKeyPin(of: root))
      let verdict = try verifier.verify(trust, host: trust.host, pins: [pin])
      #expect(verdict.isTrusted)
      #expect(verdict.chain.last == root)
    }
    let other = try #require(PublicKeyPin(of: try TemporaryAuthority().root))
    let verdict = try verifier.verify(trust, host: trust.host, pins: [other])
    #expect(verdict.error?.code == .certificateNotPinned)
  }

  @Test func `without a host no name is asked for`() throws {
    let authority = try TemporaryAuthority()
    let trust = ServerTrust(
      certificates: try authority.leaf(for: ["example.org"]).certificates, host: "example.com")
    let verifier = try TrustVerifier(.certificates([authority.root]))
    #expect(try verifier.verify(trust, host: nil).isTrusted)
  }

  private func verify(_ trust: ServerTrust, _ authority: TemporaryAuthority) throws -> ServerTrust {
    try TrustVerifier(.certificates([authority.root])).verify(trust, host: trust.host)
  }
}

extension VerdictTests.Case {
  /// The same for another host.
  fileprivate func asking(_ host: String) -> Self {
    Self(name, sentence, host: host) { [make] in try make($0).certificates }
  }
}

extension TemporaryAuthority {
  fileprivate func rsaIntermediate() throws -> TemporaryAuthority {
    try intermediate(traits: CertificateTraits { $0.key = .rsa(bits: 2048) })
  }
}
