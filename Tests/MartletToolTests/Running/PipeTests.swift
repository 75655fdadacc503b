import Foundation
import MartletTesting
import Testing

/// The tool as scripts meet it: in a pipe.
struct PipeTests {
  private static let json = "{ \"b\":1.50,\t\"a\" : [ ] }\r\n"

  @Test func `a GET in a pipe gives exactly the bytes of the body`() async throws {
    let server = try await ScriptedServer.start(.json(Self.json))
    let run = try await ToolRun(server.url("/x").absoluteString)
    #expect(run.status == 0)
    #expect(run.output == Data(Self.json.utf8))
    #expect(run.complaint == "")
    #expect(server.received.map(\.line) == ["GET /x HTTP/1.1"])
  }

  @Test func `a large body goes through whole`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun(server.url("/stream-bytes/5000000").absoluteString)
    #expect(run.output.count == 5_000_000)
  }

  @Test func `items make the request`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let run = try await ToolRun(
      "put", server.url("/x").absoluteString, "q==a b", "X-Trace:1", "name=Tern", "n:=1.0",
      "note=@note.txt", files: ["note.txt": "from a file"])
    #expect(run.status == 0)
    let request = try #require(server.received.first)
    #expect(request.line == "PUT /x?q=a%20b HTTP/1.1")
    #expect(request.header("X-Trace") == "1")
    #expect(request.header("User-Agent") == "martlet/0.1.0")
    #expect(request.text == #"{"name": "Tern", "n": 1.0, "note": "from a file"}"#)
  }

  @Test func `standard input is the body`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let run = try await ToolRun(server.url("/x").absoluteString, input: "[1]\n")
    #expect(run.status == 0)
    let request = try #require(server.received.first)
    #expect(request.line == "POST /x HTTP/1.1")
    #expect(request.header("Content-Length") == "4")
    #expect(request.text == "[1]\n")
  }

  @Test func `a large standard input is sent while it is read`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let text = String(repeating: "0123456789", count: 300_000)
    let run = try await ToolRun("--form", server.url("/x").absoluteString, input: text)
    #expect(run.status == 0)
    let request = try #require(server.received.first)
    #expect(request.header("Content-Length") == "3000000")
    #expect(request.text == text)
  }

  @Test func `fields and standard input at once are refused, unless it is ignored`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let url = server.url("/x").absoluteString
    let refused = try await ToolRun(url, "a=1", input: "x")
    #expect(refused.status == 64)
    #expect(
      refused.complaint
        == "martlet: There are fields on the command line and a body on standard input: send one of them, or give --ignore-stdin.\n"
    )
    #expect(try await ToolRun("--ignore-stdin", url, "a=1", input: "x").status == 0)
    #expect(server.received.map(\.text) == [#"{"a": "1"}"#])
  }

  @Test func `--headers prints the head alone`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 201 Made\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 2\r\n\r\nok"))
    let run = try await ToolRun("--headers", server.url().absoluteString)
    #expect(run.text == "HTTP/1.1 201 Made\nX-A: 1\nX-A: 2\nContent-Length: 2\n\n")
  }

  @Test func `--verbose tells on standard error and leaves standard output alone`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let run = try await ToolRun("--verbose", server.url("/x").absoluteString)
    #expect(run.text == "ok")
    for line in [
      "* Connecting to 127.0.0.1:\(server.port)", "> GET /x HTTP/1.1",
      "> Host: 127.0.0.1:\(server.port)", "> Accept-Encoding: gzip, deflate", "< HTTP/1.1 200 OK",
      "< Content-Length: 2",
    ] {
      #expect(run.complaint.split(separator: "\n").contains(Substring(line)), "\(line)")
    }
  }

  @Test func `--timing adds a waterfall on standard error`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let run = try await ToolRun("--timing", server.url("/x").absoluteString)
    #expect(run.text == "ok")
    let names = run.complaint.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names.suffix(5) == ["connect", "send", "wait", "receive", "total"])
  }

  @Test func `--offline prints the request and sends nothing`() async throws {
    let run = try await ToolRun("--offline", ":1/x", "a=1", "Accept-Encoding:")
    #expect(run.status == 0)
    #expect(
      run.text == """
        POST /x HTTP/1.1
        Host: localhost:1
        User-Agent: martlet/0.1.0
        Accept: application/json, */*;q=0.5
        Content-Type: application/json
        Content-Length: 10

        {"a": "1"}

        """)
  }

  @Test func `--output saves the body and prints nothing`() async throws {
    let server = try await ScriptedServer.start(.text("new").then(.stall))
    let run = try await ToolRun(
      "--output", "a.txt", server.url("/x").absoluteString, files: ["a.txt": "old"])
    #expect(run.status == 0)
    #expect(run.text == "" && run.complaint == "")
    #expect(run.files == ["a.txt"])
    #expect(run.contents["a.txt"] == "new")
  }

  @Test(arguments: [["--output"], ["--download", "--output"]])
  func `a device is written to, not replaced`(options: [String]) async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let run = try await ToolRun(
      arguments: options + ["/dev/null", server.url("/x").absoluteString])
    #expect(run.status == 0)
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(type as? FileAttributeType == .typeCharacterSpecial)
  }
}
