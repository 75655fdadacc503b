import Foundation
import Martlet
import MartletTesting
import Testing

/// Servers that show the wrong certificate, and the right one.
@Suite(.timeLimit(.minutes(5)))
struct CertificateTests {
  private let authority: TemporaryAuthority

  init() throws {
    authority = try TemporaryAuthority()
  }

  private func run(_ credential: CertifiedKey, _ arguments: String..., host: String = "127.0.0.1")
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
        == "martlet: The certificate of “127.0.0.1” is self-signed and not trusted: you might be connecting to a server that is pretending to be “127.0.0.1”.\n"
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

  @Test func `--insecure accepts any, with a warning`() async throws {
    let run = try await run(authority.leaf(for: ["tern.example"]), "--insecure")
    #expect(run.text == "ok")
    #expect(
      run.complaint
        == "martlet: warning: The server's certificate is not verified.\n")
  }

  @Test func `a pin is asked for, even with --insecure`() async throws {
    let leaf = try authority.leaf()
    let pin = try #require(PublicKeyPin(of: leaf.certificates[0]))
    #expect(try await run(leaf, "--insecure", "--pin", "\(pin)").text == "ok")
    let wrong = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    #expect(try await run(leaf, "--cacert", "root.pem", "--pin", "\(wrong);\(pin)").text == "ok")
    let run = try await run(leaf, "--insecure", "--pin", wrong)
    #expect(run.status == 1)
    #expect(
      run.complaint
        == """
        martlet: warning: The server's certificate is not verified, apart from its pins.
        martlet: No certificate of “127.0.0.1” has a pinned key: you might be connecting to a server that is pretending to be “127.0.0.1”. If its keys are new, pin \(pin) (localhost).

        """)
  }

  @Test func `a certificate is shown to a server that asks for one`() async throws {
    var tls = ServerTLS(try authority.leaf())
    tls.clientRoots = [authority.root]
    let server = try await ScriptedServer.start(.text("ok"), repeatsLast: true, tls: tls)
    let client = try authority.leaf(for: ["client"])
    let url = server.url("/", host: "127.0.0.1").absoluteString
    let files = [
      "root.pem": authority.rootPEM, "client.pem": client.certificatesPEM,
      "client.key": client.privateKeyPEM,
    ]
    let run = try await ToolRun(
      arguments: ["--cacert", "root.pem", "--cert", "client.pem", "--key", "client.key", url],
      files: files)
    #expect(run.complaint == "")
    #expect(run.text == "ok")
    let without = try await ToolRun(
      arguments: ["--cacert", "root.pem", "--cert", "client.pem", url], files: files)
    #expect(
      without.complaint.hasSuffix("client.pem” holds no private key in PEM form.\n"))
  }

  @Test func `the certificate is not shown where a redirect leads`() async throws {
    var tls = ServerTLS(try authority.leaf())
    tls.clientRoots = [authority.root]
    let other = try await ScriptedServer.start(.text("ok"), repeatsLast: true, tls: tls)
    let target = other.url("/", host: "127.0.0.1").absoluteString
    let first = try await LoopbackServer.start()
    let client = try authority.leaf(for: ["client"])
    let url = first.url("/redirect-to?url=\(target)", host: "localhost").absoluteString
    let run = try await ToolRun(
      arguments: ["--follow", "--cacert", "root.pem", "--cert", "client.pem", url],
      files: [
        "root.pem": authority.rootPEM,
        "client.pem": client.certificatesPEM + client.privateKeyPEM,
      ])
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: https://127.0.0.1:\(other.port) requires a client certificate: give one with --cert.\n"
    )
    await first.stop()
    await other.stop()
  }

  @Test func `certs refuses an http URL before anything is sent`() async throws {
    let server = try await ScriptedServer.start(.text("ok"), repeatsLast: true)
    let url = server.url("/").absoluteString
    let run = try await ToolRun("certs", url)
    #expect(run.status == 64)
    #expect(
      run.complaint
        == "martlet: \(url) is not an https URL, so it has no certificates: write an https URL.\n")
    #expect(server.connectionCount == 0)
  }

  @Test func `certs prints the chain, the verdict and the pins`() async throws {
    let leaf = try authority.intermediate().leaf()
    let run = try await run(leaf, "certs", "--cacert", "root.pem")
    #expect(run.status == 0)
    #expect(run.complaint == "")
    let pins = try (leaf.certificates + [authority.root]).map {
      try #require(PublicKeyPin(of: $0)).description
    }
    let lines = run.text.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("   pin") } == pins.map { "   pin     \($0)" })
    #expect(
      lines.filter { !$0.hasPrefix(" ") } == [
        "0  localhost", "1  Temporary Intermediate", "2  Temporary Root (not sent)",
        "“127.0.0.1” is trusted.",
      ])
    #expect(lines.contains("   hosts   localhost, 127.0.0.1, ::1"))

    let refused = try await self.run(leaf, "certs")
    #expect(refused.status == 1)
    #expect(refused.text.hasSuffix("“127.0.0.1” is not trusted.\n"))
    #expect(
      refused.complaint
        == "martlet: The certificate of “127.0.0.1” was not issued by a trusted authority: you might be connecting to a server that is pretending to be “127.0.0.1”.\n"
    )
  }
}
