import EssentialFoundation
import ExitTesting
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// Peers that close a connection while the client writes to it.
@Suite(.blocksAThread, .timeLimit(.minutes(20)))
struct ClosedPeerTests {
  @Test func `writing to a socket that the peer has closed does not end the process`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readHead, .halfClose, .reset]), repeatsLast: true)
    let url = server.url()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      // As a process starts, unless its parent ignores the signal. The engine's socket is the first of this process.
      signal(SIGPIPE, SIG_DFL)
      let engine = HTTPTransport()
      let body = RequestBody.bytes(ByteBuffer(repeating: 1, count: 16 << 20))
      for _ in 0..<100 {
        let request = Request(.put, url: url, body: body)
        await #expect(throws: MartletError.self) { try await engine.send(request) }
      }
    }
    await server.stop()
  }
}
