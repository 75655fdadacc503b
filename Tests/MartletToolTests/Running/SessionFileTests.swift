import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import Testing

/// What `--session` keeps from one run of the tool to the next.
@Suite(.timeLimit(.minutes(5)))
struct SessionFileTests {
  private let server: LoopbackServer

  init() async throws {
    server = try await .start()
  }

  private func url(_ path: String) -> String { server.url(path).absoluteString }

  @Test func `cookies, headers and authentication are kept, for their server alone`() async throws {
    let other = try await LoopbackServer.start()
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s --follow "\(url("/cookies/set?bird=tern"))" > /dev/null
        "$MARTLET" --session s --auth ada:secret "\(url("/headers"))" X-Trace:42 If-Match:x > /dev/null
        "$MARTLET" --session s "\(url("/headers"))"
        echo ----
        "$MARTLET" --session s "\(other.url("/headers").absoluteString)"
        """)
    #expect(run.complaint == "")
    let parts = run.text.components(separatedBy: "----")
    #expect(parts[0].contains("bird=tern"))
    #expect(parts[0].contains("\"X-Trace\" : \"42\""))
    #expect(parts[0].contains("Basic YWRhOnNlY3JldA=="))
    #expect(!parts[0].contains("If-Match"))
    #expect(!parts[1].contains("X-Trace") && !parts[1].contains("Basic"))
  }

  @Test func `no other server gets what is kept, wherever a redirect leads`() async throws {
    let target = try await LoopbackServer.start()
    let location = target.url("/headers").absoluteString
    let redirecting = try await LoopbackServer.start(
      router: ServerRouter([
        .any("/*") { _ in ServerResponse(.found, headers: [.location: location]) }
      ]))
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s "\(redirecting.url("/").absoluteString)" X-Key:canary > /dev/null
        "$MARTLET" --session s --follow "\(redirecting.url("/").absoluteString)"
        """)
    #expect(run.text.contains("\"Host\"") && !run.text.contains("canary"))
    #expect(run.contents["s"]?.contains("canary") == true)
  }

  @Test func `of a header that comes twice both are kept`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s "\(url("/headers"))" X-A:1 X-A:2 User-Agent:tern > /dev/null
        "$MARTLET" --session s --offline "\(url("/headers"))"
        """)
    #expect(run.text.contains("X-A: 1\nX-A: 2\n"))
    #expect(run.text.components(separatedBy: "User-Agent").count == 2)
  }

  @Test func `runs that share a file at the same time lose nothing`() async throws {
    let run = try await ToolRun(
      script: """
        printf '%s\n' a b c d e f | xargs -P 6 -I NAME \
          "$MARTLET" --session s --auth ada:secret "\(url("/cookies/set?"))NAME=1" > /dev/null
        "$MARTLET" --session s --follow "\(url("/cookies/set?a=2"))" > /dev/null
        "$MARTLET" --session s "\(url("/cookies"))"
        ls -A
        """)
    for name in ["b", "c", "d", "e", "f"] { #expect(run.text.contains("\"\(name)\" : \"1\"")) }
    #expect(run.text.contains("\"a\" : \"2\""))
    #expect(run.files == ["s"])
  }

  @Test func `a link leads to the file, and stays`() async throws {
    let run = try await ToolRun(
      script: """
        mkdir folder; echo '{"martletSession": 1, "servers": {}, "cookies": []}' > folder/s
        ln -s folder/s s
        "$MARTLET" --session s "\(url("/headers"))" X-A:1 > /dev/null
        readlink s; grep -c X-A folder/s; rm -r folder s
        """)
    #expect(run.complaint == "")
    #expect(run.text == "folder/s\n1\n")
  }

  @Test func `a file of another version stays as it is`() async throws {
    let text = "{\"martletSession\": 2, \"servers\": {}, \"cookies\": [], \"more\": 1}"
    let run = try await ToolRun(
      arguments: ["--session", "s", url("/get")], files: ["s": text])
    #expect(
      run.complaint
        == "martlet: “s” is a session of another version of martlet: use that version, or give --session another name.\n"
    )
    #expect(run.contents["s"] == text)
    #expect(server.requestCount == 0)
  }

  @Test func `the command line wins over what is kept, and is kept in its place`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s --auth ada:secret "\(url("/headers"))" X-Trace:1 > /dev/null
        "$MARTLET" --session s --auth t0ken --auth-type bearer "\(url("/headers"))" x-trace:2 > /dev/null
        "$MARTLET" --session s "\(url("/headers"))" User-Agent:
        """)
    #expect(run.text.contains("Bearer t0ken") && !run.text.contains("Basic"))
    #expect(run.text.lowercased().contains("\"x-trace\" : \"2\""))
  }

  @Test func `an Authorization item and --auth replace each other`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s "\(url("/headers"))" Authorization:old > /dev/null
        "$MARTLET" --session s --auth ada:secret "\(url("/headers"))"
        echo ----
        "$MARTLET" --session s "\(url("/headers"))" Authorization:new > /dev/null
        "$MARTLET" --session s "\(url("/headers"))"
        """)
    let parts = run.text.components(separatedBy: "----")
    #expect(parts[0].contains("Basic YWRhOnNlY3JldA==") && !parts[0].contains("old"))
    #expect(parts[1].contains("new") && !parts[1].contains("Basic"))
  }

  @Test func `the file is for its owner's eyes`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s "\(url("/get"))" > /dev/null
        stat --format %a s; ls -A
        """)
    #expect(run.text == "600\ns\n")
  }

  @Test func `a file that is there keeps its mode`() async throws {
    let run = try await ToolRun(
      script: """
        echo '{"martletSession": 1, "servers": {}, "cookies": []}' > s; chmod 640 s
        "$MARTLET" --session s "\(url("/get"))" X-A:1 > /dev/null
        stat --format %a s; grep -c X-A s
        """)
    #expect(run.text == "640\n1\n")
  }

  @Test func `a pipe is no session, and is not read`() async throws {
    let run = try await ToolRun(
      script: """
        mkfifo s; timeout 60 "$MARTLET" --session s "\(url("/get"))"; echo $?; rm s
        """)
    #expect(run.text == "1\n")
    #expect(
      run.complaint == "martlet: “s” is not a regular file: give --session another name.\n")
    #expect(server.requestCount == 0)
  }

  @Test func `several downloads share what is kept`() async throws {
    let run = try await ToolRun(
      script: """
        "$MARTLET" --session s --auth ada:secret --download "\(url("/basic-auth/ada/secret"))" \
          "\(url("/cookies/set?bird=tern"))" 2> /dev/null
        grep -c tern s
        """)
    #expect(run.text == "1\n")
  }

  @Test(arguments: ["not JSON", "{\"a\": 1}", ""])
  func `a file that is something else stays as it is`(text: String) async throws {
    let run = try await ToolRun(
      arguments: ["--session", "s", url("/get")], files: ["s": text])
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: “s” is not a martlet session: move it away, or give --session another name.\n")
    #expect(run.contents["s"] == text)
    #expect(server.requestCount == 0)
  }

  @Test(arguments: [[], ["--download"]])
  func `a file that cannot be written is named before anything is sent`(options: [String])
    async throws
  {
    let run = try await ToolRun(
      arguments: options + ["--session", "missing/s", "POST", url("/post")])
    #expect(run.status == 1)
    #expect(server.requestCount == 0)
    #expect(run.files == [])
    #expect(
      run.complaint
        == "martlet: “missing/s” could not be written: No such file or directory.\n")
  }
}
