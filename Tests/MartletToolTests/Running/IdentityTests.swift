import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import Testing

@testable import MartletTool

/// How the tool authenticates its requests.
@Suite(.timeLimit(.minutes(5)))
struct IdentityTests {
  private let server: LoopbackServer

  init() async throws {
    server = try await .start()
  }

  @Test func `a name and a password are shown at once`() async throws {
    let run = try await ToolRun("-a", "ada:se:cret", server.url("/headers").absoluteString)
    #expect(run.text.contains("Basic YWRhOnNlOmNyZXQ="))
    #expect(run.complaint == "")
  }

  @Test func `a password may begin with an accent`() async throws {
    let run = try await ToolRun("-a", "ada:\u{301}x", server.url("/headers").absoluteString)
    #expect(run.text.contains("Basic YWRhOsyBeA=="))
  }

  @Test(arguments: ["MD5", "SHA-256"])
  func `Digest answers when the server asks`(algorithm: String) async throws {
    let url = server.url("/digest-auth/auth/ada/secret/\(algorithm)").absoluteString
    let run = try await ToolRun("--auth", "ada:secret", "--auth-type", "digest", url)
    #expect(run.text.contains("\"authenticated\" : true"))
    #expect(server.requestCount == 2)
  }

  @Test func `with --auth-type digest the password is never shown as Basic`() async throws {
    let url = server.url("/basic-auth/ada/secret").absoluteString
    let run = try await ToolRun(
      "--auth", "ada:secret", "--auth-type", "digest", "--check-status", url)
    #expect(run.status == 4)
    #expect(server.requestCount == 1)
    #expect(
      run.complaint == """
        martlet: http://127.0.0.1:\(server.port) requires authentication by “basic”, and the credential is for Digest only: it was not sent. Allow another scheme for the credential, or have the server offer an allowed one.
        martlet: The server answered 401 Unauthorized.

        """)
  }

  @Test func `a password that goes out as Basic and without TLS is warned about`() async throws {
    let proxy = try await ScriptedServer.start(.text("ok"), repeatsLast: true)
    let options = ["--proxy", proxy.url().absoluteString]
    let warning =
      "martlet: warning: The password is sent to http://tern.example by Basic and without TLS, so it can be read on the way: use https or --auth-type digest, or write --auth-type basic to send it without this warning.\n"
    for words in [["--auth", "ada:secret", "tern.example"], ["http://ada:secret@tern.example/"]] {
      let run = try await ToolRun(arguments: options + words)
      #expect(run.complaint == warning)
      #expect(run.text == "ok")
    }
    for type in ["basic", "digest"] {
      let run = try await ToolRun(
        arguments: options + ["--auth-type", type, "--auth", "ada:secret", "tern.example"])
      #expect(run.complaint == "")
    }
  }

  @Test func `a password of a netrc file that goes out as Basic and without TLS is warned about`()
    async throws
  {
    let proxy = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=r\r\nContent-Length: 0\r\n\r\n"),
      .text("ok"))
    let run = try await ToolRun(
      script: """
        echo 'machine tern.example login ada password secret' > netrc
        NETRC=netrc "$MARTLET" --netrc --proxy '\(proxy.url().absoluteString)' tern.example
        """)
    #expect(run.text == "ok")
    #expect(
      run.complaint
        == "martlet: warning: The password is sent to http://tern.example by Basic and without TLS, so it can be read on the way: use https or --auth-type digest, or write --auth-type basic to send it without this warning.\n"
    )
  }

  @Test func `a password is not warned about where it is not sent in clear text`() throws {
    let basic = "Basic YWRhOnNlY3JldA=="
    for (url, field, warns) in [
      ("http://tern.example/", basic, true), ("http://tern.example/", "basic x", true),
      ("https://tern.example/", basic, false), ("http://127.0.0.1:1/", basic, false),
      ("http://tern.example/", "Digest x", false), ("http://tern.example/", "Basicx y", false),
    ] {
      var request = try Request(.get, url)
      request.headers[.authorization] = field
      #expect((ClearTextWarning.text(for: request) != nil) == warns)
    }
  }

  @Test func `a token is shown at once`() async throws {
    let run = try await ToolRun(
      "--auth", "t0ken", "--auth-type", "bearer", server.url("/bearer").absoluteString)
    #expect(run.text.contains("\"token\" : \"t0ken\""))
  }

  @Test func `a wrong password is named`() async throws {
    let url = server.url("/basic-auth/ada/secret")
    let run = try await ToolRun("--auth", "ada:wrong", "--check-status", url.absoluteString)
    #expect(run.status == 4)
    #expect(
      run.complaint == """
        martlet: http://127.0.0.1:\(server.port) refuses the user's name and password for “Fake Realm”: check them.
        martlet: The server answered 401 Unauthorized.

        """)
    let download = try await ToolRun("--download", "--auth", "ada:wrong", url.absoluteString)
    #expect(
      download.complaint
        == "martlet: The server answered 401 Unauthorized: nothing was saved. http://127.0.0.1:\(server.port) refuses the user's name and password for “Fake Realm”: check them.\n"
    )
    #expect(download.files == [])
  }

  @Test(arguments: [["--auth", "ada:s"], ["--auth", "s", "--auth-type", "bearer"]])
  func `no other server receives the credential, wherever a redirect leads`(arguments: [String])
    async throws
  {
    let other = try await LoopbackServer.start()
    let target = other.url("/headers").absoluteString
    let redirecting = try await LoopbackServer.start(
      router: ServerRouter([
        .any("/*") { _ in ServerResponse(.found, headers: [.location: target]) }
      ]))
    let run = try await ToolRun(
      arguments: arguments + ["--follow", redirecting.url("/").absoluteString])
    #expect(run.text.contains("\"Host\"") && !run.text.contains("Authorization"))
  }

  @Test func `passwords are found in the netrc file`() async throws {
    let url = server.url("/basic-auth/ada/secret").absoluteString
    let run = try await ToolRun(
      script: """
        echo machine 127.0.0.1 login ada password secret > netrc
        NETRC=netrc "$MARTLET" --netrc \(url)
        """)
    #expect(run.text.contains("\"authenticated\" : true"))
  }

  @Test func `a netrc file that cannot be understood is named with its line`() async throws {
    let run = try await ToolRun(
      script: "echo machine > netrc; NETRC=netrc \"$MARTLET\" --netrc :1/")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: Line 1 of the netrc file cannot be understood: nothing follows “machine”.\n")
  }

  @Test func `without a terminal the password has to be given`() async throws {
    let run = try await ToolRun(script: "setsid -w \"$MARTLET\" --auth ada :1/ < /dev/null")
    #expect(run.status == 64)
    #expect(
      run.complaint
        == "martlet: The password of “ada” is missing, and there is no terminal to ask for it: write --auth ada:PASSWORD.\n"
    )
  }

  @Test func `a type without anything to show is refused`() async throws {
    let run = try await ToolRun("--auth-type", "digest", ":1/")
    #expect(run.status == 64)
    #expect(run.complaint.contains("--auth-type is the scheme of --auth: add --auth."))
  }
}
