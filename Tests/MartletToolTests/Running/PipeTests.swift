import Foundation
import MartletTesting
import Testing

/// The tool as scripts meet it: in a pipe.
@Suite(.timeLimit(.minutes(5)))
struct PipeTests {
  private static let json = "{ \"b\":1.50,\t\"a\" : [ ] }\r\n"

  @Test func `a GET in a pipe gives exactly the bytes of the body`() async throws {
    let server = try await ScriptedServer.start(.json(Self.json))
    let run = try await ToolRun(server.url("/x").absoluteString)
    #expect(run.status == 0)
    #expect(run.output == Data(Self.json.utf8))
    #expect(run.complaint == "")
    #expect(server.receivedRequests.map(\.line) == ["GET /x HTTP/1.1"])
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
    let request = try #require(server.receivedRequests.first)
    #expect(request.line == "PUT /x?q=a%20b HTTP/1.1")
    #expect(request.header("X-Trace") == "1")
    #expect(request.header("User-Agent") == "martlet/0.1.0")
    #expect(request.text == #"{"name": "Tern", "n": 1.0, "note": "from a file"}"#)
  }

  @Test func `a value may come from a pipe or a device`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let url = server.url("/x").absoluteString
    let run = try await ToolRun(
      script: """
        mkfifo text json field
        printf hi > text & printf '[1]' > json & printf 'v\\n' > field &
        "$MARTLET" --ignore-stdin '\(url)' a=@text b:=@json X-A:@field c=@/dev/null; rm text json field
        """)
    #expect(run.text == "ok" && run.complaint == "")
    let request = try #require(server.receivedRequests.first)
    #expect(request.text == #"{"a": "hi", "b": [1], "c": ""}"#)
    #expect(request.header("X-A") == "v")
  }

  @Test func `standard input is the body`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let run = try await ToolRun(server.url("/x").absoluteString, input: "[1]\n")
    #expect(run.status == 0)
    let request = try #require(server.receivedRequests.first)
    #expect(request.line == "POST /x HTTP/1.1")
    #expect(request.header("Content-Length") == "4")
    #expect(request.text == "[1]\n")
  }

  @Test func `a large standard input is sent while it is read`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let text = String(repeating: "0123456789", count: 300_000)
    let run = try await ToolRun("--form", server.url("/x").absoluteString, input: text)
    #expect(run.status == 0)
    let request = try #require(server.receivedRequests.first)
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
        == "martlet: There is a body on the command line and another on standard input: send one of them, or give --ignore-stdin.\n"
    )
    #expect(try await ToolRun("--ignore-stdin", url, "a=1", input: "x").status == 0)
    #expect(server.receivedRequests.map(\.text) == [#"{"a": "1"}"#])
  }

  @Test func `--headers prints the head alone`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 201 Made\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 2\r\n\r\nok"))
    let run = try await ToolRun("--headers", server.url().absoluteString)
    #expect(run.text == "HTTP/1.1 201 Made\nX-A: 1\nX-A: 2\nContent-Length: 2\n\n")
  }

  @Test func `--verbose writes to standard error and leaves standard output alone`() async throws {
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

  @Test(arguments: [false, true])
  func `--as-curl prints the request as a command of curl`(showsSecrets: Bool) async throws {
    let options = ["--as-curl"] + (showsSecrets ? ["--show-secrets"] : [])
    let run = try await ToolRun(
      arguments: options + ["-a", "ada:tern", ":1/x", "a=it's", "Accept-Encoding:", "User-Agent:x"])
    #expect(run.status == 0)
    #expect(
      run.text == """
        curl --header 'Accept: application/json, */*;q=0.5' --header 'Content-Type: application/json' \
        --header 'User-Agent: x' --header 'Authorization: \(showsSecrets ? "Basic YWRhOnRlcm4=" : "***")' \
        --data-raw '{"a": "it'\\''s"}' http://localhost:1/x

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

  @Test(
    arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "/dev/fd/7"], ["", "-d "])
  func `a file that is open already is written to, not replaced`(path: String, option: String)
    async throws
  {
    let server = try await ScriptedServer.start(.text("body\n"))
    let url = server.url("/x").absoluteString
    let run = try await ToolRun(
      script: """
        echo old > log; ln -s /dev/stdout link
        { "$MARTLET" \(option)-o \(path) '\(url)' 7>&1; echo $?; echo new; } >> log; rm link
        """)
    #expect(run.contents == ["log": "old\nbody\n0\nnew\n"])
    #expect(run.complaint == "")
  }

  @Test(arguments: [3, 4, 5, 6, 7, 8, 9, 999])
  func `a descriptor that the tool was not started with is an error`(number: Int) async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let run = try await ToolRun(
      script: """
        exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
        "$MARTLET" -o /dev/fd/\(number) '\(server.url("/x").absoluteString)'
        """)
    #expect(run.status == 1)
    #expect(
      run.complaint == "martlet: “/dev/fd/\(number)” cannot be written to: Bad file descriptor.\n")
    #expect(server.receivedRequests.isEmpty)
  }

  @Test func `a named pipe is written to when something reads from it`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let url = server.url("/x").absoluteString
    let run = try await ToolRun(
      script: "mkfifo pipe; \"$MARTLET\" -o pipe '\(url)' & cat pipe; wait $!; echo $?; rm pipe")
    #expect(run.text == "ok0\n")
  }

  @Test func `descriptors that are closed get no other use`() async throws {
    let server = try await ScriptedServer.start(.text("ok"), repeatsLast: true)
    let url = server.url("/x").absoluteString
    let run = try await ToolRun(
      script: """
        "$MARTLET" --output a '\(url)' <&- >&- 2>&-; echo $?
        "$MARTLET" '\(url)' >&-; echo $?
        """)
    #expect(run.text == "0\n1\n")
    #expect(run.complaint == "martlet: The output cannot be written: Bad file descriptor.\n")
    #expect(run.contents == ["a": "ok"])
    #expect(server.receivedRequests.allSatisfy { $0.line == "GET /x HTTP/1.1" })
  }

  @Test func `--print prints the parts that it names, in their order`() async throws {
    let server = try await ScriptedServer.start(
      .redirect(to: "/y"),
      .respond("HTTP/1.1 200 OK\r\nX-A: \u{1B}[2J\r\nContent-Length: 2\r\n\r\nok"))
    let run = try await ToolRun(
      "--follow", "-p", "HBhbm", "POST", server.url("/x").absoluteString, "a=1", "User-Agent:",
      "Accept-Encoding:")
    #expect(run.status == 0)
    #expect(
      run.text.hasPrefix(
        """
        GET /y HTTP/1.1
        Host: 127.0.0.1:\(server.port)
        Accept: application/json, */*;q=0.5

        HTTP/1.1 200 OK
        X-A: \u{1B}[2J
        Content-Length: 2

        ok
        """))
    #expect(run.text.split(separator: "\n").last?.hasPrefix("total ") == true)
  }

  @Test func `--print m prints the timing of a body that comes after its head`() async throws {
    let body = String(repeating: "a", count: 5_000_000) + "\n"
    let server = try await ScriptedServer.start(.text(body))
    let run = try await ToolRun("--print", "bm", server.url("/x").absoluteString)
    let names = run.text.split(separator: "\n").suffix(5).map { $0.prefix { $0 != " " } }
    #expect(names == ["connect", "send", "wait", "receive", "total"])
  }

  @Test(arguments: [
    ("H", "POST /post HTTP/1.1"), ("B", #"{"a": "1"}"#), ("BH", "POST /post HTTP/1.1"),
  ])
  func `--print of a request`(letters: String, start: String) async throws {
    let server = try await LoopbackServer.start()
    for options in [[], ["--offline"]] {
      let run = try await ToolRun(
        arguments: options + ["-p", letters, server.url("/post").absoluteString, "a=1"])
      #expect(run.text.hasPrefix(start + "\n"))
      #expect(run.text.contains(#"{"a": "1"}"#) == letters.contains("B"))
    }
    #expect(server.requestCount == 1)
  }

  @Test func `a file with no name is the whole body`() async throws {
    let server = try await ScriptedServer.start(.text("ok"), repeatsLast: true)
    let url = server.url("/x").absoluteString
    let files = ["tern.json": #"{"a":[1.0]}"#, "tern": "\u{1}"]
    _ = try await ToolRun(arguments: [url, "@tern.json", "X-A:1"], files: files)
    _ = try await ToolRun(arguments: ["PUT", url, "@tern"], files: files)
    _ = try await ToolRun(arguments: [url, "@tern;type=text/x"], files: files)
    _ = try await ToolRun(arguments: [url, "@tern", "Content-Type:text/y"], files: files)
    #expect(
      server.receivedRequests.map(\.line) == [
        "POST /x HTTP/1.1", "PUT /x HTTP/1.1", "POST /x HTTP/1.1", "POST /x HTTP/1.1",
      ])
    #expect(server.receivedRequests.map(\.text) == [#"{"a":[1.0]}"#, "\u{1}", "\u{1}", "\u{1}"])
    #expect(
      server.receivedRequests.map { $0.header("Content-Type") } == [
        "application/json", "application/octet-stream", "text/x", "text/y",
      ])
  }

  @Test func `offline, a body is printed whole, whatever it is made of`() async throws {
    let run = try await ToolRun(
      arguments: ["--offline", ":1/", "a=1", "f@tern"], files: ["tern": "chirp"])
    #expect(run.text.contains("name=\"f\"; filename=\"tern\""))
    #expect(run.text.contains("\r\n\r\nchirp\r\n--"))
    let large = String(repeating: "0123456789", count: 200_000)
    let piped = try await ToolRun("--offline", "-p", "B", ":1/", input: large)
    #expect(piped.text == large + "\n")
  }

  @Test func `an item can make a request expect 100 Continue`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 100 Continue\r\n\r\n")]).then(
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")))
    let run = try await ToolRun(server.url().absoluteString, "a=1", "Expect:100-continue")
    #expect(run.status == 0)
    #expect(server.receivedRequests.first?.header("Expect") == "100-continue")
  }

  @Test func `with no cookies none are sent`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s --follow "\(server.url("/cookies/set?bird=tern").absoluteString)" > /dev/null
        "$MARTLET" --session s "\(server.url("/headers").absoluteString)" Cookie:
        """)
    #expect(!run.text.contains("tern"))
  }
}
