import Foundation
import MartletTesting
import Testing

/// Signals, closed pipes, and `martlet serve`.
@Suite(.timeLimit(.minutes(5)))
struct SignalTests {
  @Test func `a reader that has seen enough ends the tool quietly`() async throws {
    let server = try await LoopbackServer.start()
    let url = server.url("/stream-bytes/16000000").absoluteString
    let run = try await ToolRun(
      script: "{ \"$MARTLET\" '\(url)'; echo $? > status; } | head -c 5 | wc -c")
    #expect(run.text.trimmingCharacters(in: .whitespacesAndNewlines) == "5")
    #expect(run.complaint == "")
    #expect(run.contents["status"] == "141\n")
  }

  private static let half = Script.respond(
    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nhalf"
  ).then(.stall)

  @Test(
    arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)],
    ["--download", "--output tern.txt", "--download --output tern.txt"])
  func `a download that is broken off leaves nothing`(
    signal: (name: String, status: Int), options: String
  ) async throws {
    let server = try await ScriptedServer.start(Self.half)
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun(
      script: """
        $FOREGROUND "$MARTLET" \(options) '\(url)' &
        timeout 60 sh -c 'until ls -A | grep -q part; do sleep 0.05; done'
        kill -\(signal.name) $!; wait $! 2> /dev/null; echo $?
        """)
    #expect(run.text == "\(signal.status)\n")
    #expect(run.complaint == "")
    #expect(run.files == [])
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func `downloads side by side that are broken off leave nothing`(
    signal: (name: String, status: Int)
  ) async throws {
    let server = try await ScriptedServer.start(Self.half, repeatsLast: true)
    let urls = ["/a", "/b"].map { "'\(server.url($0).absoluteString)'" }.joined(separator: " ")
    let run = try await ToolRun(
      script: """
        $FOREGROUND "$MARTLET" --download \(urls) &
        timeout 60 sh -c 'until [ "$(ls -A | grep -c part)" = 2 ]; do sleep 0.05; done'
        kill -\(signal.name) $!; wait $! 2> /dev/null; echo $?
        """)
    #expect(run.text == "\(signal.status)\n")
    #expect(run.complaint == "")
    #expect(run.files == [])
  }

  @Test(arguments: 1...10)
  func `a second signal right behind the first does not keep a download from cleaning up`(
    attempt: Int
  ) async throws {
    let server = try await ScriptedServer.start(Self.half, repeatsLast: true)
    let url = server.url("/tern.txt").absoluteString
    let script = """
      $FOREGROUND "$MARTLET" --session s -o tern.txt '\(url)' &
      timeout 60 sh -c 'until ls -A | grep -q part; do sleep 0.05; done'
      begin=$(date +%s)
      kill -TERM $!; kill -HUP $!; kill -TERM $!; kill -INT $!; wait $! 2> /dev/null; echo $?
      echo $(($(date +%s) - begin)) > seconds
      """
    // What a slow machine handles a second after the first signal is not right behind it.
    var run: ToolRun
    var attempts = 0
    repeat {
      run = try await ToolRun(script: script)
      attempts += 1
    } while run.contents["seconds"] != "0\n" && attempts < 30
    #expect(["143\n", "129\n", "130\n"].contains(run.text))
    #expect(run.complaint == "")
    #expect(run.files.filter { $0.contains("part") } == [])
  }

  @Test func `a signal a second after the first ends a run that does not end`() async throws {
    let server = try await LoopbackServer.start()
    let url = server.url("/stream-bytes/16000000").absoluteString
    // Nothing reads from the pipe, so the tool waits for it to have room.
    let run = try await ToolRun(
      script: """
        mkfifo full; exec 3<> full
        $FOREGROUND "$MARTLET" --verbose '\(url)' > full 2> events &
        timeout 60 sh -c 'until grep -q "^< HTTP" events; do sleep 0.05; done'
        kill -TERM $!; sleep 6; kill -TERM $! 2> /dev/null; wait $!; echo $?; rm full
        """)
    #expect(run.text == "143\n")
  }

  @Test func `a named pipe that nothing reads from is not waited for after a signal`() async throws
  {
    let server = try await ScriptedServer.start(.text("ok"))
    let url = server.url("/x").absoluteString
    // The tool opens the pipe after it has set its handlers, the signals 1 and 2 among them.
    let run = try await ToolRun(
      script: """
        mkfifo pipe
        $FOREGROUND "$MARTLET" -o pipe '\(url)' &
        timeout 60 sh -c "until grep -q '^SigCgt.*[37bf]$' /proc/$!/status; do sleep 0.05; done"
        kill -INT $!; wait $!; echo $?; rm pipe
        """)
    #expect(run.text == "130\n")
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `a signal that the tool is started to ignore stays ignored`(signal: String) async throws {
    let server = try await ScriptedServer.start(Self.half)
    let url = server.url("/tern.txt").absoluteString
    let other = signal == "TERM" ? "HUP" : "TERM"
    let run = try await ToolRun(
      script: """
        env --ignore-signal=\(signal) "$MARTLET" --download '\(url)' &
        timeout 60 sh -c 'until ls -A | grep -q part; do sleep 0.05; done'
        kill -\(signal) $!; kill -\(other) $!; wait $! 2> /dev/null; echo $?
        """)
    #expect(run.text == (other == "HUP" ? "129\n" : "143\n"))
    #expect(run.files == [])
  }

  @Test func `what nohup has the tool ignore does not break a download off`() async throws {
    let server = try await ScriptedServer.start(Self.half)
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun(
      script: """
        trap '' HUP
        "$MARTLET" --download '\(url)' &
        timeout 60 sh -c 'until ls -A | grep -q part; do sleep 0.05; done'
        kill -HUP $!; kill -TERM $!; wait $! 2> /dev/null; echo $?
        """)
    #expect(run.text == "143\n")
    #expect(run.files == [])
  }

  @Test func `a server with a certificate of its own says how to trust it`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" serve --tls > served &
        until [ "$(wc -l < served)" -ge 2 ]; do sleep 0.05; done
        url=$(sed -n 's/^Serving \\(.*\\), until Ctrl-C\\.$/\\1/p' served)
        root=$(sed -n 's/^Trust it with --cacert //p' served)
        "$MARTLET" --check-status --cacert "$root" "${url}status/418" 2> /dev/null; echo "$?"
        kill -TERM $!; wait $!; echo "$?"
        test -e "$root" || echo "the root is gone"
        """)
    #expect(run.text.hasSuffix("4\n0\nthe root is gone\n"))
  }

  @Test func `a server speaks HTTP/2 with --http2`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" serve --tls --http2 > served &
        until [ "$(wc -l < served)" -ge 2 ]; do sleep 0.05; done
        url=$(sed -n 's/^Serving \\(.*\\), until Ctrl-C\\.$/\\1/p' served)
        root=$(sed -n 's/^Trust it with --cacert //p' served)
        "$MARTLET" --headers --cacert "$root" "${url}get" | grep -cE '^H(TTP/)?2 200'
        kill -TERM $!; wait $!
        """)
    #expect(run.text == "1\n")
  }

  @Test func `a port that is taken is an error`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun("serve", "--port", "\(server.port)")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: Port \(server.port) cannot be opened: check that it is free and allowed, or set another --port.\n"
    )
  }
}
