import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// Hosts with several addresses, of which some or all are dead.
@Suite(.timeLimit(.minutes(5)))
struct DeadAddressTests {
  private let ports = Locked<[Int]>([])
  private let request: Request

  init() throws {
    request = try Request(.get, "http://server.test/get")
  }

  /// An engine for which `server.test` has the addresses of `ports`.
  private func engine() -> HTTPTransport {
    var configuration = HTTPTransportConfiguration()
    configuration.proxies = .none
    configuration.resolver.lookUp = { [ports] _, _ in
      try ports.current.map { try SocketAddress(ipAddress: "127.0.0.1", port: $0) }
    }
    return HTTPTransport(configuration)
  }

  /// Expects that a request is answered within a second.
  private func expectAnswer(from engine: HTTPTransport) async throws {
    let start = ContinuousClock.now
    let (_, lateness) = try await measuringLateness(ofLoops: true) {
      try await engine.expectOK(request)
    }
    #expect(start.duration(to: .now) < .seconds(1) + lateness)
  }

  @Test func `one that lives is found behind one that hangs and one that refuses`() async throws {
    let (hanging, refusing) = (try ReservedPort.hanging(), try ReservedPort.refusing())
    let server = try await LoopbackServer.start()
    ports.withLock { $0 = [hanging.port, refusing.port, server.port] }
    let engine = engine()
    try await expectAnswer(from: engine)
    await engine.close()
    await server.stop()
  }

  @Test func `the error names all that refuse, and the next request finds one that lives`()
    async throws
  {
    let dead = try (0..<2).map { _ in try ReservedPort.refusing() }
    let server = try await LoopbackServer.start()
    ports.withLock { $0 = dead.map(\.port) }
    let engine = engine()
    let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(error?.code == .connectionFailed)
    #expect(error?.isSafeToRetry == true)
    let tried = dead.map { "127.0.0.1:\($0.port)" }.joined(separator: ", ")
    #expect(
      error?.message
        == "Could not connect to http://server.test (tried \(tried)): nothing listens there.")
    ports.withLock { $0 = [dead[0].port, server.port] }
    try await expectAnswer(from: engine)
    await engine.close()
    await server.stop()
  }

  @Test func `those that hang end with the time-out, and the next request finds one that lives`()
    async throws
  {
    let dead = try (0..<2).map { _ in try ReservedPort.hanging() }
    let server = try await LoopbackServer.start()
    ports.withLock { $0 = dead.map(\.port) }
    let engine = engine()
    var brief = request
    brief.options.timeouts = Timeouts(connect: .milliseconds(400))
    let exchange = engine.begin(brief)
    let error = await #expect(throws: MartletError.self) { try await exchange.value }
    #expect(error?.code == .timedOut)
    #expect(error?.phase == .connect)
    #expect(
      error?.message
        == "Connecting to http://server.test took longer than 400 ms: try again or raise the time-out."
    )
    ports.withLock { $0 = [dead[0].port, server.port] }
    try await expectAnswer(from: engine)
    await engine.close()
    await server.stop()
  }
}
