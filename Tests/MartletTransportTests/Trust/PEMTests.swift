import Foundation
import MartletCore
import MartletTesting
import SwiftASN1
import Testing

@testable import MartletTransport

/// Text with certificates in it.
struct PEMTests {
  private let pem: String
  private let der: [UInt8]

  init() throws {
    let authority = try TemporaryAuthority()
    (pem, der) = (authority.rootPEM, authority.root)
  }

  @Test(arguments: ["\n", "\r\n"])
  func `blocks are found among other text, whatever ends the lines`(lineEnd: String) {
    let text = ("# A comment\n" + pem + "between\n" + pem).replacing("\n", with: lineEnd)
    let blocks = PEM.blocks(in: Data(text.utf8))
    #expect(blocks.map(\.der) == [der, der])
    #expect(blocks.map(\.label) == ["CERTIFICATE", "CERTIFICATE"])
  }

  @Test(arguments: [
    "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END SOMETHING-----\n",
    "-----BEGIN CERTIFICATE-----\nAAAA\n",
    "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
  ])
  func `a block that is broken, or no certificate, is left out, and the others are not`(
    broken: String
  ) {
    let found = CertificateReader.readable(in: Data((broken + pem).utf8))
    #expect(found.map(\.der) == [der])
  }

  @Test func `a name that looks like PEM does not make a certificate in DER form any less one`()
    throws
  {
    let odd = try TemporaryAuthority(commonName: "-----BEGIN CERTIFICATE-----").root
    #expect(CertificateReader.certificates(in: Data(odd)) == [odd])
  }

  /// A stand-in for libFuzzer, which `scripts/fuzz` runs: a little of everything, every time.
  @Test func `bytes that are changed at random are read or refused`() {
    var random = SystemRandomNumberGenerator()
    for seed in [Array(pem.utf8), der] {
      for _ in 0..<500 {
        var bytes = seed
        for _ in 0...Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255)
        }
        for certificate in CertificateReader.certificates(in: Data(bytes)) {
          #expect(CertificateDescription(der: certificate) != nil)
        }
        _ = SubjectPublicKey(certificate: bytes)?.problem
      }
    }
  }

  @Test func `a certificate that names a second 61 cannot be read`() throws {
    let odd = OddCertificate.withSecond61(der)
    #expect(odd != der)
    #expect(CertificateReader.certificates(in: Data(odd)).isEmpty)
    #expect(CertificateDescription(der: odd) == nil)
  }

  @Test(arguments: ["20400101000000.5Z", "20400101000000+0000", "204001010000Z", "20400101000061Z"])
  func `a time in a form that RFC 5280 does not allow cannot be read`(_ time: String) throws {
    #expect(try !areSound(DERValue.node(24, Array(time.utf8))))
    #expect(try areSound(DERValue.node(24, Array("20400101000000Z".utf8))))
  }

  /// Whether the times of a certificate that ends then can be dates.
  private func areSound(_ end: [UInt8]) throws -> Bool {
    let validity = DERValue.sequence([DERValue.node(23, Array("260101000000Z".utf8)), end])
    let toBeSigned = DERValue.sequence([[2, 1, 1], [0x30, 0], [0x30, 0], validity])
    return CertificateTimes.areValid(in: try DER.parse(toBeSigned))
  }

  @Test func `a file in DER form is one certificate`() {
    #expect(CertificateReader.readable(in: Data(der)).map(\.der) == [der])
    #expect(CertificateReader.readable(in: Data()).isEmpty)
    #expect(CertificateReader.readable(in: Data("text".utf8)).isEmpty)
  }
}
