#if os(Linux)
import Foundation
import Martlet
import Testing

@testable import MartletTool

/// What turns on a terminal while something is waited for.
@Suite(.timeLimit(.minutes(5)))
struct SpinnerTests {
  @Test func `it turns while something is waited for, and leaves nothing behind`() async throws {
    let terminal = try Terminal()
    let spinner = Spinner(on: terminal.output, "Waiting for tern.example", after: .zero)
    spinner.begin()
    try await terminal.shows("\r⠋ Waiting for tern.example\u{1B}[K")
    try await terminal.shows("\r⠙ Waiting for tern.example\u{1B}[K")
    spinner.end()
    #expect(terminal.text.hasSuffix("\r\u{1B}[K"))
  }

  @Test func `it begins anew with a redirect, and ends with each head`() async throws {
    let terminal = try Terminal()
    let spinner = Spinner(on: terminal.output, "Waiting", after: .zero)
    let call = Call()
    spinner.follow(call)
    call.report(.redirecting(to: URL(fileURLWithPath: "/")))
    try await terminal.shows("⠋ Waiting")
    call.report(.responseReceived(ResponseHead(status: .ok)))
    #expect(terminal.text.hasSuffix("\r\u{1B}[K"))
  }

  @Test func `what is over in a moment is not shown`() async throws {
    let terminal = try Terminal()
    let spinner = Spinner(on: terminal.output, "Waiting", after: .seconds(600))
    spinner.begin()
    spinner.end()
    spinner.end()
    #expect(terminal.text == "")
  }

  @Test func `it shows nothing where there is no terminal`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" serve > served &
        until [ -s served ]; do sleep 0.05; done
        "$MARTLET" "$(sed -n 's/^Serving \\(.*\\), until Ctrl-C\\.$/\\1/p' served)delay/1" > /dev/null
        kill -TERM $!
        """)
    #expect(run.complaint == "")
  }
}
#endif
