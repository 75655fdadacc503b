import Foundation
import MartletTesting
import Testing

/// Servers that show the wrong certificate, and the right one.
struct CertificateTests {
  private let authority: TemporaryAuthority

  init() throws {
    authority = try TemporaryAuthority()
  }

  private func run(_ credential: Credential, _ arguments: String..., host: String = "127.0.0.1")
    async throws -> ToolRun
  {
    let server = try await ScriptedServer.start(
      .text("ok"), repeatsLast: true, tls: ServerTLS(credential))
    return try await ToolRun(
      arguments: arguments + [server.url("/", host: host).absoluteString],
      files: ["root.pem": authority.rootPEM])
  }

  @Test func `the root given is trusted`() async throws {
    let run = try await run(authority.leaf(), "--cacert", "root.pem")
    #expect(run.complaint == "")
    #expect(run.text == "ok")
  }

  @Test func `a certificate that has expired`() async throws {
    let leaf = try authority.leaf(
      notBefore: Date(timeIntervalSince1970: 1_500_000_000),
      notAfter: Date(timeIntervalSince1970: 1_600_000_000))
    let run = try await run(leaf, "--cacert", "root.pem")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The certificate of “127.0.0.1” expired on 2020-09-13: you might be connecting to a server that is pretending to be “127.0.0.1”.\n"
    )
  }

  @Test func `a certificate that vouches for itself`() async throws {
    let own = try TemporaryAuthority.selfSigned(commonName: "127.0.0.1", names: ["127.0.0.1"])
    let run = try await run(own, "--cacert", "root.pem")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The certificate of “127.0.0.1” is self-signed and not among the trusted: you might be connecting to a server that is pretending to be “127.0.0.1”.\n"
    )
  }

  @Test func `a certificate for another host`() async throws {
    let run = try await run(authority.leaf(for: ["tern.example"]), "--cacert", "root.pem")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The certificate of “127.0.0.1” is for “tern.example”: you might be connecting to a server that is pretending to be “127.0.0.1”.\n"
    )
  }

  @Test func `--insecure takes any, and says so`() async throws {
    let run = try await run(authority.leaf(for: ["tern.example"]), "--insecure")
    #expect(run.text == "ok")
    #expect(
      run.complaint
        == "martlet: warning: Certificates are not checked; anybody could be answering.\n")
  }
}
