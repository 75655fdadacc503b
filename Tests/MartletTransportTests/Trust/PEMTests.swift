import Foundation
import MartletCore
import MartletTesting
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
    let found = CertificateFile.readable(in: Data((broken + pem).utf8))
    #expect(found.map(\.der) == [der])
  }

  @Test func `a file in DER form is one certificate`() {
    #expect(CertificateFile.readable(in: Data(der)).map(\.der) == [der])
    #expect(CertificateFile.readable(in: Data()).isEmpty)
    #expect(CertificateFile.readable(in: Data("text".utf8)).isEmpty)
  }
}
