import Foundation
import MartletTesting
import Testing

/// The tool behind a proxy.
@Suite(.timeLimit(.minutes(5)))
struct ProxyRunTests {
  private let url = "http://tern.invalid/a?b=c"

  @Test func `a request goes through the proxy that is named`() async throws {
    let proxy = try await ScriptedServer.start(.text("from the proxy"), .text("for this machine"))
    let address = "http://127.0.0.1:\(proxy.port)"
    let run = try await ToolRun("-v", "--body", "--proxy", address, url)
    #expect(run.text == "from the proxy")
    #expect(run.complaint.contains("* Through the proxy \(address)\n"))
    #expect(proxy.receivedRequests[0].line == "GET \(url) HTTP/1.1")
    #expect(try await ToolRun("--proxy", address, ":1/").text == "for this machine")
    await proxy.stop()
  }

  @Test func `or the one that the environment names, but for this machine`() async throws {
    let proxy = try await ScriptedServer.start(.text("from the proxy"))
    let server = try await LoopbackServer.start()
    let environment = "http_proxy=http://user:canary@127.0.0.1:\(proxy.port)"
    let run = try await ToolRun(script: "\(environment) $MARTLET -v --body \(url)")
    #expect(run.text == "from the proxy")
    #expect(!run.complaint.contains("canary"))
    let direct = try await ToolRun(
      script: "\(environment) $MARTLET --headers \(server.url("/get"))")
    #expect(direct.text.hasPrefix("HTTP/1.1 200 OK"))
    #expect(proxy.connectionCount == 1)
    await proxy.stop()
    await server.stop()
  }

  @Test func `and not for hosts that are left out`() async throws {
    let proxy = try await ScriptedServer.start()
    let address = "http://127.0.0.1:\(proxy.port)"
    for script in [
      "$MARTLET --proxy \(address) --no-proxy .invalid \(url)",
      "http_proxy=\(address) $MARTLET --no-proxy '*' \(url)",
      "http_proxy=\(address) no_proxy=invalid $MARTLET \(url)",
    ] {
      let run = try await ToolRun(script: script)
      #expect(
        run.complaint
          == "martlet: The host “tern.invalid” has no address: check the name and the network.\n")
    }
    #expect(proxy.connectionCount == 0)
    await proxy.stop()
  }

  @Test(arguments: [
    (
      ["--proxy", "ftp://user:canary@p"],
      "The proxy cannot be used: its scheme must be http, https, socks5 or socks5h."
    ),
    (
      ["--no-proxy", "10.0.0.0/99"],
      "The list of hosts cannot be used: “10.0.0.0/99” is no host such as example.com, no address, and no block of addresses such as 10.0.0.0/8."
    ),
  ])
  func `options that make no sense are refused`(options: [String], sentence: String) async throws {
    let run = try await ToolRun(arguments: options + [url])
    #expect(run.status == 64)
    #expect(run.complaint.contains(sentence))
    #expect(!run.complaint.contains("canary"))
  }

  @Test func `so is a variable that makes no sense, when it is needed`() async throws {
    let run = try await ToolRun(script: "http_proxy=http://user:canary@p:x $MARTLET \(url)")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The environment variable `http_proxy` cannot be used: it is not a URL such as http://proxy.example.com:3128; percent-encode special characters in user and password.\n"
    )
  }

  @Test func `certificates are looked at through a proxy, too`() async throws {
    let proxy = try await ScriptedServer.start(.respond("HTTP/1.1 403 Forbidden\r\n\r\n"))
    let run = try await ToolRun("certs", "--proxy", "127.0.0.1:\(proxy.port)", "tern.invalid")
    #expect(run.status == 1)
    #expect(
      run.complaint
        == "martlet: The proxy http://127.0.0.1:\(proxy.port) made no connection to https://tern.invalid, but answered 403 Forbidden: check the URL, or ask the operator of the proxy.\n"
    )
    await proxy.stop()
  }
}
