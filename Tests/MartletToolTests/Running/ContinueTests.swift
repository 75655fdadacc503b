import Foundation
import MartletTesting
import Testing

/// Downloads of the tool that go on, that are checked, and that run side by side.
@Suite(.timeLimit(.minutes(5)))
struct ContinueTests {
  private static let begin = Script.respond(
    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcd")
  private static let rest = Script.respond(
    "HTTP/1.1 206 P\r\nContent-Length: 6\r\nContent-Range: bytes 4-9/10\r\n\r\nefghij")

  @Test func `a download that broke off goes on with --continue`() async throws {
    let server = try await ScriptedServer.start(Self.begin, Self.rest)
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun(
      script: """
        "$MARTLET" --download --continue '\(url)' 2> first; echo "$?"; ls -A
        "$MARTLET" -dc '\(url)' 2> second; echo "$?"; ls -A; cat tern.txt
        """)
    #expect(
      run.text
        == "1\n.martlet-downloads\nfirst\n0\nfirst\nsecond\ntern.txt\nabcdefghij")
    #expect(
      run.contents["first"]
        == "martlet: The connection ended after 4 of 10 bytes of the body, before it was complete: try again.\n"
    )
    #expect(run.contents["second"]?.hasPrefix("Saved 10 B as tern.txt in ") == true)
    #expect(run.contents["second"]?.hasSuffix(", 4 B of it earlier.\n") == true)
    #expect(server.receivedRequests.map { $0.header("Range") } == [nil, "bytes=4-"])
  }

  @Test(arguments: ["KILL", "INT", "TERM", "HUP"])
  func `whatever ends the tool, the next run goes on`(signal: String) async throws {
    let server = try await ScriptedServer.start(Self.begin.then(.stall), Self.rest)
    let url = server.url("/x").absoluteString
    let run = try await ToolRun(
      script: """
        $FOREGROUND "$MARTLET" --download --continue -o tern.txt '\(url)' &
        until grep -q abcd .martlet-downloads/*.part; do sleep 0.05; done 2> /dev/null
        kill -\(signal) $!; wait $! 2> /dev/null
        ls; "$MARTLET" --download --continue -o tern.txt '\(url)' 2> /dev/null && cat tern.txt
        """)
    #expect(run.text == "abcdefghij")
    #expect(run.contents == ["tern.txt": "abcdefghij"])
  }

  @Test func `without --continue nothing is left to go on from`() async throws {
    let server = try await ScriptedServer.start(Self.begin)
    let run = try await ToolRun("--download", server.url("/tern.txt").absoluteString)
    #expect(run.status == 1)
    #expect(run.files == [])
  }

  @Test func `an error page leaves no store behind`() async throws {
    let server = try await ScriptedServer.start(.text("sorry", status: 503))
    let run = try await ToolRun("-dc", server.url("/tern.txt").absoluteString)
    #expect(run.status == 5)
    #expect(
      run.complaint
        == "martlet: The server answered 503 Service Unavailable: nothing was saved.\n")
    #expect(run.files == [])
  }

  @Test func `with --continue a folder that does not exist is not made`() async throws {
    let server = try await ScriptedServer.start(.text("new"))
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun("-dc", "-o", "new/sub/tern.txt", url)
    #expect(run.status == 1)
    #expect(
      run.complaint.contains(
        "“new/sub/tern.txt” could not be written: No such file or directory."))
    #expect(run.files == [])
    #expect(server.receivedRequests.isEmpty)
  }

  @Test func `two runs at once do not write to one file`() async throws {
    let server = try await ScriptedServer.start(Self.begin.then(.stall))
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun(
      script: """
        "$MARTLET" --download --continue '\(url)' &
        until grep -q abcd .martlet-downloads/*.part; do sleep 0.05; done 2> /dev/null
        "$MARTLET" --download --continue '\(url)' 2>&1; echo "$?"
        kill $!; wait $!; rm -r .martlet-downloads
        """)
    #expect(
      run.text
        == "martlet: “\(url)” is being downloaded to the same place already: wait for that to end, or choose another place.\n1\n"
    )
  }

  @Test func `a checksum that fits is silent, one that does not leaves nothing`() async throws {
    let server = try await ScriptedServer.start(.text("abcdefghij"), .text("abcdefghij"))
    let url = server.url("/tern.txt").absoluteString
    let digits = "72399361da6a7754fec986dca5b7cbaf1c810a28ded4abaf56b2106d06cb78b0"
    let right = try await ToolRun("--download", "--checksum", "sha256:\(digits)", url)
    #expect(right.status == 0 && right.contents == ["tern.txt": "abcdefghij"])
    let other = String(repeating: "0", count: 64)
    let wrong = try await ToolRun("--download", "--checksum", "sha256:\(other)", url)
    #expect(wrong.status == 1 && wrong.files == [])
    #expect(
      wrong.complaint
        == "martlet: The downloaded file is damaged or not the expected one, and was removed: its sha-256 is \(digits), but the checksum says \(other).\n"
    )
  }

  @Test func `several URLs are downloaded, each under a name of its own`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun(
      "--download", server.url("/range/26").absoluteString,
      server.url("/status/404").absoluteString,
      server.url("/bytes/26?seed=1").absoluteString)
    #expect(run.status == 4)
    #expect(run.files == ["26", "26-1"])
    let lines = run.complaint.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("Saved 26 B as 26") == true)
    #expect(
      lines.dropFirst().first.map(String.init)
        == "martlet: \(server.url("/status/404").absoluteString): The server answered 404 Not Found: nothing was saved."
    )
  }

  @Test(arguments: [
    (
      ["http://h/a", "http://h/b"],
      "Several URLs can only be downloaded: add --download, or give one URL."
    ),
    (
      ["--download", "-o", "x", "http://h/a", "https://h/b"],
      "--output, --checksum, --verbose, --timing, --offline and --as-curl work with one URL only: leave them out, or give one URL."
    ),
    (
      ["-dc", "-o", "/dev/null", "http://127.0.0.1:1/"],
      "“/dev/null” is not a regular file: leave out --continue and --checksum, or give another name."
    ),
  ])
  func `what cannot be is said`(arguments: [String], sentence: String) async throws {
    let run = try await ToolRun(arguments: arguments)
    #expect(run.status == 64)
    #expect(run.complaint == "martlet: \(sentence)\n")
  }

  @Test func `a body cannot go to several URLs`() async throws {
    let run = try await ToolRun("--download", "http://h/a", "http://h/b", input: "body")
    #expect(run.status == 64)
    #expect(
      run.complaint
        == "martlet: There are several URLs and a body on standard input: give one URL, or --ignore-stdin.\n"
    )
  }
}
