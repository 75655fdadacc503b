#if os(Linux)
import Foundation
import MartletTesting
import Testing

/// The threads of the tool.
@Suite(.timeLimit(.minutes(5)))
struct EventLoopTests {
  @Test func `the tool has one event loop`() async throws {
    let server = try await LoopbackServer.start()
    let run = try await ToolRun(
      script: """
        "$MARTLET" --download --output got '\(server.url("/drip?delay=0&duration=60&numbytes=60"))' &
        timeout 60 sh -c 'until ls -A | grep -q part; do sleep 0.02; done'
        cat /proc/$!/task/*/comm | grep -c '^NIO-'
        kill $!; wait $! 2> /dev/null
        """)
    #expect(run.text.hasPrefix("1\n"))
    await server.stop()
  }
}
#endif
