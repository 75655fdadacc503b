import Foundation
import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// A system without any root certificates, such as many a container.
struct SystemRootsTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)

  @Test func `that the system has no roots is said in words`() async throws {
    let trust = ServerTrust(
      certificates: try TemporaryAuthority().leaf().certificates, host: "localhost")
    let roots = try CertificateTrust(.system) { SystemRoots(paths: ["/nowhere/a", "/nowhere/b"]) }
    await #expect {
      try await roots.evaluate(trust)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .invalidTrustRoots && error?.phase == .tls
        && error?.message
          == "No trusted root certificates were found at “/nowhere/a” or “/nowhere/b”: install the package ca-certificates, or give roots with `tls.roots`."
    }
  }

  @Test func `with roots, it is the server that is not trusted`() async throws {
    let authority = try TemporaryAuthority()
    try authority.writePEM(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let path = file.path
    let trust = ServerTrust(certificates: try authority.leaf().certificates, host: "localhost")
    let roots = try CertificateTrust(.system) { SystemRoots(paths: ["/nowhere", path]) }
    await #expect {
      try await roots.evaluate(trust)
    } throws: { ($0 as? MartletError)?.code == .certificateUntrusted }
  }

  @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
  func `a file without certificates counts as none`(text: String) throws {
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(SystemRoots(paths: [file.path]).areMissing)
  }
}
