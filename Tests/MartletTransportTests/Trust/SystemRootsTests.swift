import Foundation
import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// A system without any root certificates, such as many a container.
@Suite(.timeLimit(.minutes(5)))
struct SystemRootsTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)

  @Test func `that the system has no roots is said in words`() async throws {
    let trust = ServerTrust(
      certificates: try TemporaryAuthority().leaf().certificates, host: "localhost")
    let roots = try TrustVerifier(
      .system, system: SystemRoots(paths: ["/nowhere/a", "/nowhere/b"]))
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
    let other = try TemporaryAuthority(commonName: "Somebody Else").leaf()
    let trust = ServerTrust(certificates: other.certificates, host: "localhost")
    let roots = try TrustVerifier(.system, system: SystemRoots(paths: ["/nowhere", path]))
    await #expect {
      try await roots.evaluate(trust)
    } throws: { ($0 as? MartletError)?.code == .certificateUntrusted }
  }

  @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
  func `a file without certificates counts as none`(text: String) throws {
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(SystemRoots(paths: [file.path]).current.missingPaths == [file.path])
  }

  @Test func `the file is read once, and again when it has changed`() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (first, second) = (try TemporaryAuthority(), try TemporaryAuthority())
    try first.writePEM(to: file)
    let system = SystemRoots(paths: [file.path])
    let verifier = try TrustVerifier(.system, system: system)
    #expect(try verifier.isTrusting(first))
    #expect(try !verifier.isTrusting(second))

    try Data((first.rootPEM + second.rootPEM).utf8).write(to: file)
    #expect(try verifier.isTrusting(second))
  }

  @Test func `roots can be added to the system's`() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let (first, second) = (try TemporaryAuthority(), try TemporaryAuthority())
    try first.writePEM(to: file)
    let system = SystemRoots(paths: [file.path])
    let verifier = try TrustVerifier(.systemAnd([second.root]), system: system)
    #expect(try verifier.isTrusting(first))
    #expect(try verifier.isTrusting(second))

    // Both are put together once, and again when the system's have changed.
    let source = try TrustSource(.systemAnd([second.root]), system: system)
    let before = source.anchors
    #expect(source.anchors === before)
    try TemporaryAuthority().writePEM(to: file)
    #expect(source.anchors !== before)
    #expect(try !verifier.isTrusting(first))
    #expect(try verifier.isTrusting(second))
  }

  @Test func `that one of the roots given cannot be read is an error`() throws {
    let authority = try TemporaryAuthority()
    #expect {
      try TrustVerifier(.certificates([authority.root, Array(authority.rootPEM.utf8)]))
    } throws: { error in
      (error as? MartletError)?.message
        == "Certificate 2 of the roots given cannot be read: it must be in DER form; `CertificateReader` reads PEM files."
    }
    #expect(throws: MartletError.self) { try TrustVerifier(.systemAnd([[1, 2, 3]])) }
    #expect(throws: MartletError.self) { try TrustVerifier(.certificates([])) }
  }
}

extension TrustVerifier {
  fileprivate func isTrusting(_ authority: TemporaryAuthority) throws -> Bool {
    let trust = ServerTrust(certificates: try authority.leaf().certificates, host: "localhost")
    return try verify(trust, host: "localhost").isTrusted
  }
}
