import Foundation
import MartletTesting
import Testing

/// Which version of HTTP is spoken, and that it is named truly.
@Suite(.timeLimit(.minutes(5)))
struct VersionTests {
  private let authority: TemporaryAuthority

  init() throws {
    authority = try TemporaryAuthority()
  }

  private func run(on server: LoopbackServer, _ arguments: String...) async throws -> ToolRun {
    try await ToolRun(
      arguments: ["--cacert", "root.pem"] + arguments + [server.url("/get").absoluteString],
      files: ["root.pem": authority.rootPEM])
  }

  private func secureServer(_ protocols: String...) async throws -> LoopbackServer {
    var tls = ServerTLS(try authority.leaf())
    tls.protocols = protocols
    return try await LoopbackServer.start(tls: tls)
  }

  private func expect(_ run: ToolRun, _ lines: String...) {
    let complaint = run.complaint.components(separatedBy: "\n")
    for line in lines { #expect(complaint.contains(line), "\(run.complaint)") }
  }

  @Test func `HTTP/2 is spoken where TLS agrees on it`() async throws {
    let server = try await secureServer("h2", "http/1.1")
    expect(try await run(on: server, "--verbose"), "> GET /get HTTP/2", "< HTTP/2 200")
    let head = try await run(on: server, "--headers")
    #expect(head.text.hasPrefix("HTTP/2 200\n"))
  }

  @Test func `--http1 speaks HTTP/1.1 to a server that could do more`() async throws {
    let server = try await secureServer("h2", "http/1.1")
    let run = try await run(on: server, "--http1", "--verbose")
    expect(run, "> GET /get HTTP/1.1", "< HTTP/1.1 200 OK")
  }

  @Test func `--http2 speaks it over http by prior knowledge`() async throws {
    let server = try await LoopbackServer.start(priorKnowledge: true)
    let run = try await run(on: server, "--http2", "--verbose")
    expect(run, "> GET /get HTTP/2", "< HTTP/2 200")
    #expect(run.status == 0)
  }

  @Test func `--http2 refuses a server that does not speak it, and says what to do`() async throws {
    let server = try await secureServer("http/1.1")
    let run = try await run(on: server, "--http2")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: https://127.0.0.1:\(server.port) does not speak HTTP/2: leave out --http2 to allow HTTP/1.1.\n"
    )
    // It stays open, so that its answer is not lost with the connection.
    let plain = try await ScriptedServer.start(
      Script.respond("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").then(.stall))
    #expect(
      try await ToolRun("--http2", plain.url().absoluteString).complaint
        == "martlet: http://127.0.0.1:\(plain.port) does not speak HTTP/2: leave out --http2 to allow HTTP/1.1.\n"
    )
  }

  @Test func `--offline shows the version that was asked for`() async throws {
    let run = try await ToolRun("--offline", "--http2", ":1/x")
    #expect(run.text.hasPrefix("GET /x HTTP/2\n"))
  }

  @Test func `a root in DER form will do`() async throws {
    let server = try await secureServer("http/1.1")
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appending(path: "martlet-root-\(UUID()).der")
    try Data(authority.root).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try await ToolRun("--cacert", file.path, server.url("/get").absoluteString)
    #expect(run.complaint == "")
  }
}
