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
  /// A request took too long, although one of the addresses lives.
  private struct Late: Error {
    let duration: Duration
  }

  @Test func `one that lives is found behind one that hangs and one that refuses`() async throws {
    let (hanging, refusing) = (try ReservedPort.hanging(), try ReservedPort.refusing())
    try await unlessLate(by: .milliseconds(250)) {
      try await withServer { server, ports, engine in
        ports.withLock { $0 = [hanging.port, refusing.port, server.port] }
        try await requireAnswer(from: engine)
      }
    }
  }

  @Test func `the error names all that refuse, and the next request finds one that lives`()
    async throws
  {
    let dead = try (0..<2).map { _ in try ReservedPort.refusing() }
    let error = try await errorBeforeRelief(dead)
    #expect(error?.code == .connectionFailed)
    #expect(error?.isSafeToRetry == true)
    let tried = dead.map { "127.0.0.1:\($0.port)" }.joined(separator: ", ")
    #expect(
      error?.message
        == "Could not connect to http://server.test (tried \(tried)): nothing listens there.")
  }

  @Test func `those that hang end with the time-out, and the next request finds one that lives`()
    async throws
  {
    let dead = try (0..<2).map { _ in try ReservedPort.hanging() }
    let error = try await errorBeforeRelief(dead)
    #expect(error?.code == .timedOut)
    #expect(error?.phase == .connect)
    #expect(
      error?.message
        == "Connecting to http://server.test took longer than 3 s: try again or raise the time-out."
    )
  }

  /// The error while all addresses are dead. When one of two lives, a request is answered within a second.
  private func errorBeforeRelief(_ dead: [ReservedPort]) async throws -> MartletError? {
    try await unlessLate(by: .milliseconds(250)) {
      try await withServer { server, ports, engine in
        ports.withLock { $0 = dead.map(\.port) }
        var request = try Request(.get, "http://server.test/get")
        // A look-up is a part of it, and has enough time.
        request.options.timeouts = Timeouts(connect: .seconds(3))
        let result = await engine.begin(request).result
        ports.withLock { $0 = [dead[0].port, server.port] }
        try await requireAnswer(from: engine)
        if case .failure(let error) = result { return error as? MartletError }
        return nil
      }
    }
  }

  private func requireAnswer(from engine: HTTPTransport) async throws {
    let start = ContinuousClock.now
    try await engine.expectOK(try Request(.get, "http://server.test/get"))
    let duration = start.duration(to: .now)
    guard duration < .seconds(1) else { throw Late(duration: duration) }
  }

  /// Does work with a server, and an engine for which `server.test` has the given ports of this machine.
  private func withServer<Value>(
    _ work: (LoopbackServer, Locked<[Int]>, HTTPTransport) async throws -> Value
  ) async throws -> Value {
    let (server, ports) = (try await LoopbackServer.start(), Locked<[Int]>([]))
    var configuration = HTTPTransportConfiguration()
    configuration.proxies = .none
    configuration.resolver.lookUp = { _, _ in
      try ports.current.map { try SocketAddress(ipAddress: "127.0.0.1", port: $0) }
    }
    let engine = HTTPTransport(configuration)
    let result: Result<Value, any Error>
    do { result = .success(try await work(server, ports, engine)) } catch {
      result = .failure(error)
    }
    await engine.close()
    await server.stop()
    return try result.get()
  }
}
