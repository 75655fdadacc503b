import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
  private func server(_ headers: String = "", body: String = "new") async throws -> ScriptedServer {
    try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\n\(headers)Content-Length: 3\r\n\r\n\(body)").then(.stall))
  }

  @Test func `a download is saved under the URL's name, and reported in one line`() async throws {
    let server = try await server()
    let run = try await ToolRun("--download", server.url("/a/tern.txt?x=1").absoluteString)
    #expect(run.status == 0)
    #expect(run.contents == ["tern.txt": "new"])
    #expect(run.text == "")
    #expect(run.complaint.hasPrefix("Saved 3 B as tern.txt in "))
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(server.receivedRequests.first?.header("Accept-Encoding") == "identity")
  }

  @Test(
    arguments: [["--output"], ["--download", "--output"]], ["missing/tern", "./missing/tern"])
  func `a file that cannot be written is named as it was given, with the system's reason`(
    options: [String], path: String
  ) async throws {
    let server = try await server()
    let run = try await ToolRun(arguments: options + [path, server.url("/x").absoluteString])
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: “\(path)” could not be written: No such file or directory.\n")
  }

  @Test func `a name from the server leads nowhere else`() async throws {
    let server = try await server("Content-Disposition: attachment; filename=\"../../x\"\r\n")
    let run = try await ToolRun("--download", server.url("/y").absoluteString)
    #expect(run.contents == ["x": "new"])
  }

  @Test func `a file that is there already is not replaced`() async throws {
    let server = try await server()
    let run = try await ToolRun(
      "--download", server.url("/tern.txt").absoluteString, files: ["tern.txt": "old"])
    #expect(run.contents == ["tern.txt": "old", "tern-1.txt": "new"])
  }

  @Test func `concurrent runs with one name save a file each`() async throws {
    let mayEnd = AwaitableValue(false)
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .get("/tern.txt") { _ in
          ServerResponse(
            body: .producer(length: 3) { write in
              try await write(ByteBuffer(string: "ne"))
              try await mayEnd.wait { $0 }
              try await write(ByteBuffer(string: "w"))
            })
        },
        .get("/end") { _ in
          mayEnd.update { $0 = true }
          return ServerResponse()
        },
      ]))
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun(
      script: """
        "$MARTLET" --download '\(url)' 2> /dev/null & first=$!
        "$MARTLET" --download '\(url)' '\(url)' 2> /dev/null & second=$!
        timeout 60 sh -c 'until [ "$(ls -A | grep -c part)" = 3 ]; do sleep 0.05; done'
        "$MARTLET" '\(server.url("/end").absoluteString)'
        wait $first; echo $?; wait $second; echo $?
        """)
    #expect(run.text == "0\n0\n")
    #expect(run.contents == ["tern.txt": "new", "tern-1.txt": "new", "tern-2.txt": "new"])
  }

  @Test func `the closing line has the name that the file has got`() async throws {
    let server = try await server()
    let run = try await ToolRun(
      "--download", server.url("/tern.txt").absoluteString, files: ["tern.txt": "old"])
    #expect(run.complaint.hasPrefix("Saved 3 B as tern-1.txt in "))
  }

  @Test func `a part that was not asked for is not saved (RFC 9110 §15.3.7)`() async throws {
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 206 P\r\nConnection: close\r\nContent-Length: 3\r\nContent-Range: bytes 0-2/10\r\n\r\nnew"
      ), repeatsLast: true)
    let url = server.url("/tern.txt").absoluteString
    for options in [[], ["--download"], ["--output", "x"], ["--download", "--continue"]] {
      let run = try await ToolRun(arguments: options + [url])
      #expect(run.status == 1)
      #expect(
        run.complaint
          == "martlet: The request was for the whole body, but the server sent a part, “bytes 0-2/10”: try again later, or send a `Range` field if a part is wanted.\n"
      )
      #expect(run.files == [] && run.text == "")
    }
    let wanted = try await ToolRun("--download", url, "Range:bytes=0-2")
    #expect(wanted.status == 0 && wanted.contents == ["tern.txt": "new"])
  }

  @Test(arguments: ["--output", "--download --output"])
  func `a file that is replaced leaves its mode`(options: String) async throws {
    let server = try await ScriptedServer.start(.text("new"))
    let run = try await ToolRun(
      script: """
        umask 022; echo old > tern.txt; chmod 600 tern.txt; ln -s tern.txt link
        "$MARTLET" \(options) link '\(server.url("/x").absoluteString)' 2> /dev/null
        stat --format %a tern.txt; readlink link; cat tern.txt
        """)
    #expect(run.text == "600\ntern.txt\nnew")
  }

  @Test(arguments: ["--output", "--download --output"])
  func `a named pipe is written to`(options: String) async throws {
    let server = try await ScriptedServer.start(.text("new"))
    let run = try await ToolRun(
      script: """
        mkfifo pipe; timeout 60 cat pipe &
        timeout 60 "$MARTLET" \(options) pipe '\(server.url("/x").absoluteString)'
        wait; test -p pipe && echo " and a pipe"; rm pipe
        """)
    #expect(run.text == "new and a pipe\n")
    #expect(run.complaint == "")
  }

  @Test func `standard output is written to under its name in the file system`() async throws {
    let server = try await ScriptedServer.start(.text("new"))
    let run = try await ToolRun(
      script: """
        "$MARTLET" --output /dev/stdout '\(server.url("/x").absoluteString)' | cat
        """)
    #expect(run.text == "new" && run.complaint == "")
  }

  @Test func `a body that swells without end is given up, and can be had as it comes`() async throws
  {
    let bomb = try Deflate.compressed(ByteBuffer(repeating: 0, count: 32 << 20), as: .gzip)
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Content-Encoding": "gzip"], bytes: bomb)), repeatsLast: true)
    let url = server.url("/x").absoluteString
    let run = try await ToolRun("--output", "x", url)
    #expect(run.status == 1 && run.files == [])
    #expect(
      run.complaint
        == "martlet: The gzip body was given up because it grew to more than 100 times its size: add “Accept-Encoding:” to receive it without decompression.\n"
    )
    let raw = try await ToolRun(
      script: "\"$MARTLET\" --output x '\(url)' Accept-Encoding:; gzip -dc x | wc -c; rm x")
    #expect(raw.text == "\(32 << 20)\n")
  }

  @Test func `a file that --output names is replaced`() async throws {
    let server = try await server()
    let run = try await ToolRun(
      "--download", "--output", "tern.txt", server.url("/x").absoluteString,
      files: ["tern.txt": "old"])
    #expect(run.contents == ["tern.txt": "new"])
  }

  @Test func `without any name nothing is saved`() async throws {
    let server = try await server()
    let run = try await ToolRun("--download", server.url("/").absoluteString)
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: Neither the response nor the URL names a file: give a name with --output.\n")
    #expect(run.files == [])
  }

  @Test func `an error page is not saved`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun("--download", server.url("/status/404").absoluteString)
    #expect(run.status == 4)
    #expect(run.complaint == "martlet: The server answered 404 Not Found: nothing was saved.\n")
    #expect(run.files == [])
  }

  @Test func `a download follows redirects and keeps the name that was asked for`() async throws {
    let server = try await ScriptedServer.start(
      .redirect(to: "/other"), .text("new").then(.stall))
    let run = try await ToolRun("--download", server.url("/tern.txt").absoluteString)
    #expect(run.contents == ["tern.txt": "new"])
  }

  @Test func `a server may close the connection as soon as the body is out`() async throws {
    let server = try await ScriptedServer.start(.text("new"))
    let run = try await ToolRun("--download", server.url("/tern.txt").absoluteString)
    #expect(run.contents == ["tern.txt": "new"])
  }

  @Test func `a body that is cut short leaves no file`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), repeatsLast: true)
    let url = server.url("/tern.txt").absoluteString
    let run = try await ToolRun("--download", url, files: ["kept.txt": "old"])
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The connection ended after 4 of 10 bytes of the body, before it was complete: try again.\n"
    )
    #expect(!run.files.contains("tern.txt"))
    #expect(run.files == ["kept.txt"])
  }

  @Test func `further URLs may be written as the first one`() async throws {
    let server = try await LoopbackServer.start()
    let authority = "localhost:\(server.port)"
    let run = try await ToolRun(
      "--download", "\(authority)/bytes/3", "\(authority)/bytes/4", ":\(server.port)/bytes/5")
    #expect(run.status == 0)
    #expect(run.files == ["3", "4", "5"])
  }

  @Test(arguments: [["--download"], ["--output", "x"], ["--download", "--output", "x"]])
  func `HEAD has no body to save, and makes no file`(options: [String]) async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun(
      arguments: options + ["HEAD", server.url("/get").absoluteString], files: ["kept": "old"])
    #expect(run.status == 64)
    #expect(
      run.complaint
        == "martlet: The response to HEAD has no body to save: leave out --download and --output, or use GET.\n"
    )
    #expect(run.contents == ["kept": "old"])
    #expect(server.requestCount == 0)
  }
}
