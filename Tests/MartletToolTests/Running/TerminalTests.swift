#if os(Linux)
import Foundation
import MartletTesting
import NIOCore
import Testing

/// The tool as people meet it: on a terminal.
@Suite(.timeLimit(.minutes(5)))
struct TerminalTests {
  private static let evil = "\u{1B}]0;evil\u{7}\u{1B}[2J"
  private static let shown = "\\u{1b}]0;evil\\u{7}\\u{1b}[2J"

  /// What a terminal shows of a response, without the tool's own colours.
  private func shown(of response: String, _ arguments: String...) async throws -> String {
    let server = try await ScriptedServer.start(.respond(response))
    let terminal = try Terminal()
    let run = try await ToolRun(
      on: terminal, arguments + [server.url("/x").absoluteString],
      environment: ["NO_COLOR": "1"])
    #expect(run.status == 0)
    #expect(run.complaint == "")
    return terminal.text.replacing("\r\n", with: "\n")
  }

  private static func response(_ head: String, _ body: String) -> String {
    "HTTP/1.1 200 OK\r\n\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func `no part of a response is obeyed`() async throws {
    let text = try await shown(
      of: Self.response("Content-Type: text/plain\r\nX-A: \(Self.evil)\r\n", "a\(Self.evil)b"))
    #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
    #expect(text.contains("X-A: \(Self.shown)\n"))
    #expect(text.hasSuffix("\n\na\(Self.shown)b\n"))
  }

  @Test func `no string of a JSON body is obeyed`() async throws {
    let text = try await shown(
      of: Self.response(
        "Content-Type: application/json\r\n", "[\"\u{9B}2J\u{202E}\", \"\\u001b[2J\"]"),
      "--body")
    #expect(text == "[\n  \"\\u009b2J\\u202e\",\n  \"\\u001b[2J\"\n]\n")
  }

  @Test func `the charset of a text is honoured`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest,
        .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=iso-8859-1\r\n"),
        .send("Content-Length: 3\r\n\r\n"), .sendBytes(ByteBuffer(bytes: [0x67, 0xFC, 0x9B])),
      ]))
    let terminal = try Terminal()
    _ = try await ToolRun(on: terminal, ["--body", server.url().absoluteString])
    #expect(terminal.text == "gü\\u{9b}\r\n")
  }

  @Test func `--output - leaves the bytes as they are`() async throws {
    let text = try await shown(
      of: Self.response("Content-Type: text/plain\r\n", Self.evil), "--output", "-")
    #expect(text == Self.evil)
  }

  @Test func `Ctrl-C at the password prompt ends the tool at once and restores the terminal`()
    async throws
  {
    let terminal = try Terminal()
    async let running = ToolRun(
      script: """
        setsid -wc sh -c '
          before=$(stty -g)
          timeout --foreground 60 "$MARTLET" --auth ada :1/
          echo $?
          test "$(stty -g)" = "$before" && echo restored
        ' <> \(terminal.path)
        """)
    try await terminal.shows("Password of ada: ")
    terminal.enter("secret\u{3}")
    let run = try await running
    #expect(run.text == "130\nrestored\n")
    #expect(!terminal.text.contains("secret"))
  }

  @Test func `a request is shown, not obeyed`() async throws {
    let terminal = try Terminal()
    _ = try await ToolRun(on: terminal, ["--offline", ":1/", "a=\(Self.evil)", "X:\u{202E}"])
    #expect(!terminal.text.contains("\u{7}") && terminal.text.contains("X: \\u{202e}"))
  }
}
#endif
