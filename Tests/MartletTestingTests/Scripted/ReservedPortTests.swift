import MartletTesting
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ReservedPortTests {
  private func connect(_ port: Int, within limit: TimeAmount = .seconds(30)) async throws
    -> any Channel
  {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(limit).connect(host: "127.0.0.1", port: port).get()
  }

  @Test func `a refusing port refuses`() async throws {
    let port = try ReservedPort.refusing()
    let error = await #expect(throws: NIOConnectionError.self) {
      _ = try await connect(port.port)
    }
    let cause = error?.connectionErrors.first?.error as? IOError
    #expect(cause?.errnoCode == 111 || cause?.errnoCode == 61)
  }

  @Test func `a silent port connects`() async throws {
    let port = try ReservedPort.silent()
    try await connect(port.port).close()
  }

  @Test func `a hanging port does not even connect`() async throws {
    let port = try ReservedPort.hanging()
    await #expect(throws: ChannelError.connectTimeout(.milliseconds(300))) {
      _ = try await connect(port.port, within: .milliseconds(300))
    }
  }
}
