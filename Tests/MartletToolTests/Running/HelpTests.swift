import Foundation
import Testing

/// The help of the tool.
@Suite(.timeLimit(.minutes(5)))
struct HelpTests {
  @Test(arguments: [[], ["help"], ["--help"], ["-h"], ["request", "--help"]])
  func `the help is printed without arguments and on request`(arguments: [String]) async throws {
    let run = try await ToolRun(arguments: arguments)
    #expect(run.status == 0)
    #expect(run.text.hasPrefix("OVERVIEW: Send a request and print the response.\n"))
    #expect(run.text.contains("\n  martlet POST :8080/birds name=Tern weight:=0.12 seen:=true\n"))
  }

  @Test func `the help names the other commands, and what they are for`() async throws {
    let run = try await ToolRun("--help")
    #expect(
      run.text.contains(
        "\n  martlet serve     a server with the routes of httpbin, to try requests on\n"))
    #expect(
      run.text.contains(
        "\n  martlet reach     whether the network, or a host, can be reached\n"))
    #expect(run.text.contains("\n  martlet demo      a short demonstration of the library\n"))
  }

  @Test func `the help names every exit status`() async throws {
    let run = try await ToolRun("--help")
    let section = run.text.components(separatedBy: "EXIT STATUS\n").last ?? ""
    for status in [0, 1, 2, 3, 4, 5, 6, 64] {
      #expect(section.contains("  \(status) "), "\(status)")
    }
  }

  @Test func `each command has a help of its own`() async throws {
    for arguments in [["serve", "--help"], ["help", "serve"]] {
      let run = try await ToolRun(arguments: arguments)
      #expect(run.text.hasPrefix("OVERVIEW: Run a server on this machine"))
    }
  }
}
