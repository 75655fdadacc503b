import Foundation
import Martlet
import Testing

@testable import MartletTool

/// `martlet reach`
@Suite(.timeLimit(.minutes(5)))
struct ReachTests {
  /// Whether the system reports the state of its network.
  static let isTold = NetworkReachabilityManager().startMonitoring()

  @Test(.enabled(if: isTold, "this system permits no netlink sockets"))
  func `--once prints the current state`() async throws {
    let run = try await ToolRun("reach", "--once", "localhost")
    #expect(run.complaint == "")
    #expect(run.status == 0)
    #expect(
      run.text.contains(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z Reachable via lo \(loopback\)\n$/))
  }

  @Test(.enabled(if: isTold, "this system permits no netlink sockets"))
  func `what cannot be reached ends with another status`() async throws {
    let run = try await ToolRun("reach", "--once", "no-such-host.invalid")
    #expect(run.complaint == "")
    #expect(run.status == 1)
    #expect(run.text.hasSuffix("Z Not Reachable\n"))
  }

  @Test(.enabled(if: isTold, "this system permits no netlink sockets"))
  func `it watches until it is interrupted`() async throws {
    let run = try await ToolRun(
      script: """
        $FOREGROUND "$MARTLET" reach 127.0.0.1 > lines &
        until [ -s lines ]; do sleep 0.05; done
        kill -INT $!; wait $!; echo $?; wc -l < lines
        """)
    #expect(run.text == "0\n1\n")
    #expect(run.complaint == "")
  }

  @Test func `brackets hold an address`() {
    #expect(throws: ToolFailure.self) { try ReachCommand.name(in: "http://[localhost]/") }
  }

  @Test(arguments: [
    ("example.com", "example.com"), ("Example.COM:8080", "example.com"), ("::1", "::1"),
    ("[::1]:80", "::1"), ("https://ada:secret@example.com/x", "example.com"),
    ("192.0.2.7", "192.0.2.7"), (":8080", "localhost"),
  ])
  func `a host is a name, an address, or in a URL`(text: String, host: String) throws {
    #expect(try ReachCommand.name(in: text) == host)
  }

  @Test(arguments: ["", "ftp://example.com", "http://"])
  func `what is no host is refused in words`(text: String) async throws {
    let run = try await ToolRun("reach", text)
    #expect(run.status == 64)
    #expect(
      run.complaint
        == "martlet: “\(text)” is no host: write a name, an address, or a URL.\n")
  }

  @Test func `its help says what it looks at`() async throws {
    let run = try await ToolRun("reach", "--help")
    #expect(run.text.hasPrefix("OVERVIEW: Watch whether the network, or a host, can be reached"))
    #expect(run.text.contains("sent to the host"))
  }
}
