import EssentialFoundation
import ExitTesting
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import TestTiming
import Testing

@testable import MartletTransport

/// Hosts that can be looked up, beside look-ups that fail or hang.
@Suite(.timeLimit(.minutes(20)))
struct HangingLookUpTests {
  @Test func `a look-up that failed is made again for the next request`() async throws {
    let server = try await LoopbackServer.start()
    let isKnown = Locked(false)
    var configuration = HTTPTransportConfiguration()
    configuration.proxies = .none
    // A look-up waits for one of the few threads that may block.
    configuration.timeouts.connect = .seconds(120)
    configuration.resolver.lookUp = { [port = server.port] host, _ in
      guard isKnown.current else {
        throw MartletError.unknownHost(host, underlying: ResolverFailure(status: -2))
      }
      return [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
    }
    let engine = HTTPTransport(configuration)
    let request = try Request(.get, "http://server.test/get")
    let failed = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(failed?.code == .unknownHost)
    #expect(
      failed?.message == "The host “server.test” has no address: check the name and the network.")
    isKnown.withLock { $0 = true }
    try await engine.expectOK(request)
    await engine.close()
    await server.stop()
  }

  @Test(.blocksAThread)
  func
    `while fifteen look-ups hang, another host is looked up at once, a sixteenth times out, and others succeed after they end`()
    async throws
  {
    // In a process of its own: no other test could use the threads.
    await #expect(processExitsWith: .success) {
      let idle = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let server = try await LoopbackServer.start()
      let (hanging, mayEnd) = (Locked(0), Locked(false))
      var configuration = HTTPTransportConfiguration()
      configuration.proxies = .none
      configuration.resolver.lookUp = { [port = server.port] host, _ in
        if host != "server.test" {
          hanging.withLock { $0 += 1 }
          while !mayEnd.current { usleep(1000) }
        }
        return [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
      }
      let engine = HTTPTransport(configuration)
      let callers = try (0..<15).map { number in
        var request = try Request(.get, "http://silent\(number).test/get")
        request.options.timeouts = Timeouts(connect: .seconds(120))
        return Task { [request] in try await engine.send(request) }
      }
      try await eventually { hanging.current == 15 }
      // Callers that give up leave their threads hanging, of which there are 16.
      for caller in callers {
        caller.cancel()
        let error = await #expect(throws: MartletError.self) { try await caller.value }
        #expect(error?.code == .cancelled)
      }
      let request = try Request(.get, "http://server.test/get")
      let start = ContinuousClock.now
      let (_, lateness) = try await measuringLateness(and: [idle]) {
        try await engine.expectOK(request)
      }
      #expect(start.duration(to: .now) < .seconds(1) + lateness)

      var brief = try Request(.get, "http://silent.test/get")
      brief.options.timeouts = Timeouts(connect: .milliseconds(200))
      let late = await #expect(throws: MartletError.self) { try await engine.send(brief) }
      #expect(late?.code == .timedOut)
      #expect(late?.phase == .resolve)
      #expect(
        late?.message
          == "Looking up http://silent.test took longer than 200 ms: try again or raise the time-out."
      )

      mayEnd.withLock { $0 = true }
      let freedAt = ContinuousClock.now
      let (_, delay) = try await measuringLateness(and: [idle]) {
        try await engine.expectOK(try Request(.get, "http://silent99.test/get"))
      }
      #expect(freedAt.duration(to: .now) < .seconds(1) + delay)
    }
  }
}
