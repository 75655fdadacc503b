import Testing

@testable import MartletTool

struct DefaultCommandTests {
  @Test(
    arguments: [
      ["example.com"], ["--json", "example.com"], ["POST", "example.com", "a=b"], ["request.com"],
      ["--help", "me"],
    ])
  func `what names no other command is a request`(arguments: [String]) {
    #expect(MartletTool.isRequest(arguments))
  }

  @Test(
    arguments: [
      ["certs", "example.com"], ["reach"], ["serve"], ["demo"], ["request", "example.com"],
      ["help", "reach"], ["--version"], ["--json", "--version"],
      ["--generate-completion-script=zsh"], ["--experimental-dump-help"],
    ])
  func `other commands, and what concerns them all, are not`(arguments: [String]) {
    #expect(!MartletTool.isRequest(arguments))
  }
}
