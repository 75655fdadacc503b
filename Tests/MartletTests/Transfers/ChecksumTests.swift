import Foundation
import MartletCore
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Checksums and the digests of RFC 9530.
struct ChecksumTests {
  private static let empty =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  @Test(arguments: ["sha256:", "SHA256:", "sha-256:"])
  func `a checksum is read from text`(prefix: String) throws {
    let checksum = try Checksum(prefix + Self.empty.uppercased())
    #expect(checksum.algorithm == .sha256)
    #expect(checksum.description == "sha256:" + Self.empty)
  }

  @Test(arguments: [
    "", ":", "sha256", "sha256:", "sha256:00", "md5:d41d8cd98f00b204e9800998ecf8427e",
    "sha512:\(empty)", "sha256:\(empty)0", "sha256:\(empty):", "sha256:z\(empty.dropFirst())",
    "sha256:１\(empty.dropFirst())",
  ])
  func `other text is an error, so that no check is left out`(text: String) {
    #expect {
      try Checksum(text)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidChecksum
        && error?.message
          == "“\(text)” is not a checksum: it must read sha256: and 64 hexadecimal digits, or sha512: and 128."
    }
  }

  @Test func `bytes that are too many or too few are an error`() {
    #expect {
      try Checksum(.sha256, bytes: Data(count: 20))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidChecksum
        && error?.message
          == "A checksum of the algorithm sha-256 has 32 bytes, not 20."
    }
  }

  @Test func `the strongest digest of a field counts`() throws {
    let short = Data(repeating: 1, count: 32).base64EncodedString()
    let long = Data(repeating: 2, count: 64).base64EncodedString()
    let field = "sha-256=:\(short):, md5=:AAAA:,sha-512=:\(long):;x=1"
    #expect(
      try DigestField.strongest(field)
        == Checksum(.sha512, bytes: Data(repeating: 2, count: 64)))
    #expect(
      try DigestField.strongest("SHA-256=:\(short):")
        == Checksum(.sha256, bytes: Data(repeating: 1, count: 32)))
  }

  @Test(arguments: ["", "sha-256", "sha-256=AAAA", "sha-256=:AAAA:", "md5=:AAAA:", "sha-256=:?:"])
  func `what is no digest is passed over`(field: String) {
    #expect(DigestField.strongest(field) == nil)
  }

  @Test func `a checksum can be kept, and a corrupted one is an error`() throws {
    let checksum = try Checksum(.sha256, bytes: Data(repeating: 1, count: 32))
    let data = try JSONEncoder().encode(checksum)
    #expect(try JSONDecoder().decode(Checksum.self, from: data) == checksum)
    let short = #"{"algorithm":"sha-256","bytes":"AQE="}"#
    #expect(throws: MartletError.self) {
      try JSONDecoder().decode(Checksum.self, from: Data(short.utf8))
    }
  }
}
