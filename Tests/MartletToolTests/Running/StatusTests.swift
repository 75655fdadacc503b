import Foundation
import MartletTesting
import Testing

/// How the exit status reports the response to a script.
@Suite(.timeLimit(.minutes(5)))
struct StatusTests {
  @Test(arguments: [(200, Int32(0)), (302, 3), (404, 4), (503, 5)])
  func `--check-status turns the status into an exit status`(status: Int, exit: Int32) async throws
  {
    let server = try await LoopbackServer.start()
    let url = server.url("/status/\(status)").absoluteString
    let checked = try await ToolRun("--check-status", url)
    #expect(checked.status == exit)
    #expect(checked.complaint.isEmpty == (exit == 0))
    #expect(try await ToolRun(url).status == 0)
  }

  @Test func `a failed check says what the server answered`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun("--check-status", server.url("/status/404").absoluteString)
    #expect(run.complaint == "martlet: The server answered 404 Not Found.\n")
  }

  @Test func `a redirect is shown, or followed when asked`() async throws {
    let server = try await LoopbackServer.start()
    let url = server.url("/redirect/2").absoluteString
    #expect(try await ToolRun("--headers", url).text.hasPrefix("HTTP/1.1 302 Found\n"))
    #expect(try await ToolRun("--headers", "--follow", url).text.hasPrefix("HTTP/1.1 200 OK\n"))
    #expect(try await ToolRun("--check-status", "--follow", url).status == 0)
  }

  @Test func `too many redirects are 6`() async throws {
    let server = try await LoopbackServer.start()
    let url = server.url("/redirect/3").absoluteString
    let run = try await ToolRun("--follow", "--max-redirects", "2", url)
    #expect(run.status == 6)
    #expect(
      run.complaint
        == "martlet: There were more than 2 redirects: the server may redirect in a loop.\n"
    )
  }

  @Test func `--max-redirects 0 refuses the first redirect`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun(
      "--follow", "--max-redirects", "0", server.url("/redirect/1").absoluteString)
    #expect(run.status == 6)
    #expect(
      run.complaint
        == "martlet: The server redirects, and the limit allows no redirects: raise the limit to follow them.\n"
    )
  }

  @Test func `a time-out is 2`() async throws {
    let server = try await ScriptedServer.start(.silent)
    let run = try await ToolRun("--timeout", "3", server.url().absoluteString)
    #expect(run.status == 2)
    #expect(
      run.complaint
        == "martlet: Waiting for the response of http://127.0.0.1:\(server.port) took longer than 3 s: try again or raise the time-out.\n"
    )
  }

  @Test func `an unknown option is a usage error`() async throws {
    let run = try await ToolRun("--nonsense", ":1/")
    #expect(run.status == 64)
    #expect(run.complaint.contains("--nonsense"))
  }
}
