import EssentialFoundation
import ExitTesting
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// Debug builds stop where something that is confined to an event loop is used elsewhere.
@Suite(.timeLimit(.minutes(20)))
struct ConfinementTests {
  @Test(.blocksAThread, .enabled(if: isDebugBuild)) func `a pool stays on its loop`() async {
    await #expect(processExitsWith: .failure) {
      let engine = HTTPTransport(.oneLoop)
      let pool = try engine.directory.onlyPool(for: Request(.get, "http://127.0.0.1:9/").origin)
      pool.makeRoom()
    }
  }

  @Test(.blocksAThread, .enabled(if: isDebugBuild)) func `an exchange stays on its loop`() async {
    await #expect(processExitsWith: .failure) {
      let engine = HTTPTransport(.oneLoop)
      let request = try Request(.get, "http://127.0.0.1:9/")
      let pools = try engine.directory.pools(for: request.origin)
      Exchange(request, origin: pools.origin, timeouts: Timeouts(), pools: pools).end(.cancelled)
    }
  }

  @Test(.blocksAThread, .enabled(if: isDebugBuild))
  func `what the pools of a loop share stays on it`()
    async
  {
    await #expect(processExitsWith: .failure) {
      let engineLoop = EngineLoop(
        MultiThreadedEventLoopGroup.singleton.next(), isOneOfSeveral: false,
        outsideWork: OutsideWork())
      let engine = HTTPTransport(.oneLoop)
      let request = try Request(.get, "http://127.0.0.1:9/")
      let pools = try engine.directory.pools(for: request.origin)
      engineLoop.ticker.add(
        Exchange(request, origin: pools.origin, timeouts: Timeouts(), pools: pools))
    }
  }

  @Test func `connections are made on the loop that serves them, with no task-local values`()
    async throws
  {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport(.oneLoop)
    var request = Request(url: server.url("get"))
    let pool = try engine.directory.onlyPool(for: request.origin)
    let call = Call()
    let connecting = Locked<[Bool]>([])
    call.observe { event in
      guard case .connecting = event.kind else { return }
      connecting.withLock { $0.append(pool.loop.inEventLoop && Self.name == "none") }
    }
    request.call = call
    _ = try await Self.$name.withValue("request") {
      try await engine.runOnEventLoop { [request] in try await engine.send(request) }
    }
    #expect(connecting.current == [true])
    await server.stop()
  }

  @TaskLocal private static var name = "none"

  @Test func `used on its loop, none of them stops anything`() async throws {
    let engine = HTTPTransport(.oneLoop)
    let pool = try engine.directory.onlyPool(for: Request(.get, "http://127.0.0.1:9/").origin)
    try await pool.loop.submit { pool.makeRoom() }.get()
  }
}

private let isDebugBuild: Bool = {
  var isDebug = false
  assert(
    {
      isDebug = true
      return true
    }())
  return isDebug
}()
