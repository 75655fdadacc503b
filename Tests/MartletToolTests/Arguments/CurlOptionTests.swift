import ArgumentParser
import Testing

@testable import MartletTool

struct CurlOptionTests {
  @Test(arguments: [
    (
      ["-X", "PUT", ":1/"],
      "-X is an option of curl: write the method before the URL, as in martlet PUT URL."
    ),
    (
      ["-XPUT", ":1/"],
      "-X is an option of curl: write the method before the URL, as in martlet PUT URL."
    ),
    (["--verbose", "-L", ":1/"], "-L is an option of curl: use --follow."),
    (["--user=ada:x", ":1/"], "--user is an option of curl: use --auth."),
  ])
  func `an option of curl is named with what to write instead`(
    arguments: [String], sentence: String
  ) async throws {
    let run = try await ToolRun(arguments: arguments)
    #expect(run.status == 64)
    #expect(run.complaint == "martlet: \(sentence)\n")
  }

  @Test(arguments: [
    ["--usher", ":1/"], [":1/", "--", "-X"], ["--pass", "-secret", ":1/"], ["-key", "x", ":1/"],
  ])
  func `other words are not taken for options of curl`(arguments: [String]) async throws {
    let run = try await ToolRun(arguments: arguments)
    #expect(run.status != 0)
    #expect(!run.complaint.contains("curl"))
  }

  @Test func `the advice is about options that there are`() async throws {
    let help = try await ToolRun("--help").text
    let advised = CurlOption.replacements.flatMap { $0.advice.matches(of: #/--[a-z-]+/#) }
    for option in advised { #expect(help.contains(option.output), "\(option.output)") }
  }

  @Test func `the tool has none of these options itself`() throws {
    for name in CurlOption.replacements.flatMap(\.names) {
      let error = try #require(throws: (any Error).self) {
        try RequestCommand.parse([name, ":1/"])
      }
      #expect(RequestCommand.message(for: error).contains("Unknown option '\(name)'"))
    }
  }

  @Test(arguments: [
    ("--timeout", "--timeout needs a number of seconds from 0.001 to 315360000, such as 2.5."),
    ("--max-time", "--max-time needs a number of seconds from 0.001 to 315360000, such as 2.5."),
    ("--max-redirects", "--max-redirects needs 0 or more."),
    ("--retry", "--retry needs a number from 0 to 1000."),
  ])
  func `a negative number is out of range, not missing`(option: String, sentence: String)
    async throws
  {
    let run = try await ToolRun(option, "-1", ":1/")
    #expect(run.status == 64)
    #expect(run.complaint.contains(sentence))
  }
}
