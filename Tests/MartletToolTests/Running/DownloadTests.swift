import Foundation
import MartletTesting
import Testing

struct DownloadTests {
  private func server(_ headers: String = "", body: String = "new") async throws -> ScriptedServer {
    try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\n\(headers)Content-Length: 3\r\n\r\n\(body)").then(.stall))
  }

  @Test func `a download is saved under the URL's name, and one line says so`() async throws {
    let server = try await server()
    let run = try await ToolRun("--download", server.url("/a/tern.txt?x=1").absoluteString)
    #expect(run.status == 0)
    #expect(run.contents == ["tern.txt": "new"])
    #expect(run.text == "")
    #expect(run.complaint.hasPrefix("Saved 3 B as tern.txt in "))
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(server.received.first?.header("Accept-Encoding") == "identity")
  }

  @Test func `a name from the server leads nowhere else`() async throws {
    let server = try await server("Content-Disposition: attachment; filename=\"../../x\"\r\n")
    let run = try await ToolRun("--download", server.url("/y").absoluteString)
    #expect(run.contents == ["x": "new"])
  }

  @Test func `a file that is there already is not replaced`() async throws {
    let server = try await server()
    let run = try await ToolRun(
      "--download", server.url("/tern.txt").absoluteString, files: ["tern.txt": "old"])
    #expect(run.contents == ["tern.txt": "old", "tern-1.txt": "new"])
  }

  @Test func `a part that was not asked for is not saved (RFC 9110 §15.3.7)`() async throws {
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 206 P\r\nConnection: close\r\nContent-Length: 3\r\nContent-Range: bytes 0-2/10\r\n\r\nnew"
      ), repeatsLast: true)
    let url = server.url("/tern.txt").absoluteString
    for options in [[], ["--download"], ["--output", "x"], ["--download", "--continue"]] {
      let run = try await ToolRun(arguments: options + [url])
      #expect(run.status == 1)
      #expect(
        run.complaint
          == "martlet: The server was asked for the whole and sent a part, “bytes 0-2/10”: try again later, or send a `Range` field if a part is wanted.\n"
      )
      #expect(run.files == [] && run.text == "")
    }
    let wanted = try await ToolRun("--download", url, "Range:bytes=0-2")
    #expect(wanted.status == 0 && wanted.contents == ["tern.txt": "new"])
  }

  @Test func `a file that --output names is replaced`() async throws {
    let server = try await server()
    let run = try await ToolRun(
      "--download", "--output", "tern.txt", server.url("/x").absoluteString,
      files: ["tern.txt": "old"])
    #expect(run.contents == ["tern.txt": "new"])
  }

  @Test func `without any name nothing is saved`() async throws {
    let server = try await server()
    let run = try await ToolRun("--download", server.url("/").absoluteString)
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: Neither the response nor the URL names a file: give a name with --output.\n")
    #expect(run.files == [])
  }

  @Test func `an error page is not saved`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun("--download", server.url("/status/404").absoluteString)
    #expect(run.status == 4)
    #expect(run.complaint == "martlet: The server answered 404 Not Found: nothing was saved.\n")
    #expect(run.files == [])
  }

  @Test func `a download follows redirects and keeps the name that was asked for`() async throws {
    let server = try await ScriptedServer.start(
      .redirect(to: "/other"), .text("new").then(.stall))
    let run = try await ToolRun("--download", server.url("/tern.txt").absoluteString)
    #expect(run.contents == ["tern.txt": "new"])
  }

  @Test func `a server may close the connection as soon as the body is out`() async throws {
    let server = try await ScriptedServer.start(.text("new"))
    let run = try await ToolRun("--download", server.url("/tern.txt").absoluteString)
    #expect(run.contents == ["tern.txt": "new"])
  }

  @Test func `a body that is cut short leaves no file`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), repeatsLast: true)
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun("--download", url, files: ["kept.txt": "old"])
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The connection ended after 4 of 10 bytes of the body, before it was complete: try again.\n"
    )
    #expect(!run.files.contains("tern.txt"))
    #expect(run.files == ["kept.txt"])
  }
}
