import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// Connections on which bytes stop for a while, stop altogether, trickle, or end in a reset.
@Suite(.enabled(if: SlowNetwork.isAvailable), .timeLimit(.minutes(3)))
struct SlowNetworkStallTests {
  private typealias Direction = SlowScene.Direction

  /// The time-out between two bytes.
  private static let idle = Duration.seconds(1)
  /// After how many bytes of a connection something happens.
  private static let mark = 800_000

  private let network: SlowNetwork

  init() throws { network = try SlowNetwork() }

  private func engine(_ route: SlowNetwork.Route, idle: Duration = Self.idle) -> HTTPTransport {
    network.engine(route, Timeouts(idle))
  }

  private func download(_ route: SlowNetwork.Route, _ proxy: SlowProxy) throws -> Request {
    var request = try network.request("medium", route, port: proxy.port)
    request.call = Call()
    return request
  }

  private func upload(
    _ route: SlowNetwork.Route, _ proxy: SlowProxy, as name: String
  ) throws -> Request {
    var request = try network.request("upload/\(name)-\(route)", by: .post, route, port: proxy.port)
    request.body = .data(try network.data("medium"))
    request.call = Call()
    return request
  }

  // MARK: Stalls

  @Test(arguments: SlowNetwork.Route.allCases)
  func `transfers that stall for less than the idle time-out go on`(_ route: SlowNetwork.Route)
    async throws
  {
    let stall = Direction(stallAfter: Self.mark, stallFor: 2)
    try await network.withProxy(SlowScene(route, up: stall, down: stall)) { proxy in
      let engine = engine(route, idle: .seconds(3))
      let start = NIODeadline.now()
      let expected = try network.data("medium")
      let request = try upload(route, proxy, as: "stalled")
      async let sent = engine.send(request)
      #expect(try await engine.send(download(route, proxy)).data() == expected)
      let count = try await sent.data()
      #expect(count == Data("\(expected.count)".utf8))
      #expect(try network.received("stalled-\(route)") == expected)
      #expect(NIODeadline.now() - start >= .seconds(2))
      await engine.close()
    }
  }

  @Test(arguments: SlowNetwork.Route.allCases)
  func `a download that stalls ends with the idle time-out, which is exact`(
    _ route: SlowNetwork.Route
  ) async throws {
    try await SlowTimeOut.expectPunctual {
      let scene = SlowScene(route, down: Direction(stallAfter: Self.mark))
      return try await network.withProxy(scene) { proxy in
        let engine = engine(route)
        let request = try download(route, proxy)
        let call = try #require(request.call)
        let samples = TransferSamples(of: call, \.downloadTransfer)
        let isPunctual = try await SlowTimeOut(phase: .receive, limit: Self.idle).expect(
          request, engine
        ) {
          let last = try #require(samples.lastChange)
          return (last, last)
        }
        // Every byte that has come is counted, and no other. Frames and records need some bytes of the connection.
        let missing = Self.mark - Int(call.downloadTransfer.completed)
        #expect(missing >= 0 && missing < 20_000)
        await engine.close()
        return isPunctual
      }
    }
  }

  @Test(arguments: SlowNetwork.Route.allCases)
  func `an upload that stalls ends with the idle time-out, which is exact`(
    _ route: SlowNetwork.Route
  ) async throws {
    try await SlowTimeOut.expectPunctual {
      let scene = SlowScene(route, up: Direction(stallAfter: Self.mark))
      return try await network.withProxy(scene) { proxy in
        let engine = engine(route)
        let request = try upload(route, proxy, as: "stopped")
        let samples = TransferSamples(of: try #require(request.call), \.uploadTransfer)
        let isPunctual = try await SlowTimeOut(phase: .send, limit: Self.idle).expect(
          request, engine
        ) {
          let (sent, arrived) = (
            try #require(samples.lastChange), try #require(proxy.arrivals.last).deadline
          )
          // The system sends the last bytes for which the peer has room when its timer asks for more room.
          return (sent, max(sent, arrived) + .milliseconds(200))
        }
        await engine.close()
        return isPunctual
      }
    }
  }

  @Test(arguments: [SlowNetwork.Route.http1, .http2])
  func `a response that does not come is awaited for the idle time-out, which is exact`(
    _ route: SlowNetwork.Route
  ) async throws {
    try await SlowTimeOut.expectPunctual {
      try await network.withProxy(SlowScene(route, down: Direction(delay: 5))) { proxy in
        let engine = engine(route)
        let request = try download(route, proxy)
        let samples = TransferSamples(of: try #require(request.call), \.downloadTransfer)
        let isPunctual = try await SlowTimeOut(phase: .wait, limit: Self.idle).expect(
          request, engine
        ) {
          let sent = try #require(samples.lastChange)
          return (sent, sent)
        }
        await engine.close()
        return isPunctual
      }
    }
  }

  // MARK: Slow, but healthy

  @Test(arguments: SlowNetwork.Route.allCases)
  func `a fast download that becomes very slow is not given up while bytes come`(
    _ route: SlowNetwork.Route
  ) async throws {
    let size = 16 << 20
    let scene = SlowScene(route, down: Direction(rate: 64_000, rateAfter: size - 128_000))
    try await network.withProxy(scene) { proxy in
      let engine = engine(route)
      var request = try network.request("big", route, port: proxy.port)
      request.delivery = .buffered(limit: size)
      let start = NIODeadline.now()
      let body = try await engine.send(request).data(upTo: size)
      #expect(body == (try network.data("big")))
      #expect(NIODeadline.now() - start >= TimeAmount(Self.idle))
      await engine.close()
    }
  }

  @Test(arguments: SlowNetwork.Route.allCases)
  func `a response that trickles is not given up`(_ route: SlowNetwork.Route) async throws {
    // 10 000 bytes in pieces of 4 KiB, which take 0.8 s each.
    let scene = SlowScene(route, down: Direction(rate: 5_000))
    try await network.withProxy(scene) { proxy in
      let engine = engine(route)
      let start = NIODeadline.now()
      let response = try await engine.send(network.request("small", route, port: proxy.port))
      #expect(try await response.data() == (try network.data("small")))
      #expect(NIODeadline.now() - start >= TimeAmount(Self.idle))
      await engine.close()
    }
  }

  // MARK: Resets

  @Test(arguments: SlowNetwork.Route.allCases)
  func `a reset during a download ends it at once, with the number of bytes that have come`(
    _ route: SlowNetwork.Route
  ) async throws {
    let scene = SlowScene(route, down: Direction(rate: 4e6, resetAfter: Self.mark))
    try await network.withProxy(scene) { proxy in
      let engine = engine(route)
      let request = try download(route, proxy)
      let (error, lateness) = await measuringLateness {
        await #expect(throws: MartletError.self) { try await engine.send(request) }
      }
      let end = NIODeadline.now()
      let last = try #require(proxy.arrivals.last).deadline
      let completed = try #require(request.call).downloadTransfer.completed
      #expect(completed > 0 && completed < Self.mark)
      #expect(error?.code == .bodyTruncated)
      #expect(
        error?.message
          == "The connection ended after \(completed) of \(2 << 20) bytes of the body, before it was complete: try again."
      )
      #expect(end < last + .milliseconds(100) + TimeAmount(lateness))
      await engine.close()
    }
  }

  @Test(arguments: SlowNetwork.Route.allCases)
  func `a reset during an upload ends it at once`(_ route: SlowNetwork.Route) async throws {
    let scene = SlowScene(route, up: Direction(rate: 4e6, resetAfter: Self.mark))
    try await network.withProxy(scene) { proxy in
      let engine = engine(route)
      let request = try upload(route, proxy, as: "reset")
      let (error, lateness) = await measuringLateness {
        await #expect(throws: MartletError.self) { try await engine.send(request) }
      }
      let end = NIODeadline.now()
      let last = try #require(proxy.arrivals.last).deadline
      #expect(error?.code == .connectionLost)
      #expect(error?.phase == .send)
      #expect(
        error?.message
          == "\(try request.origin) closed the connection before the whole request was sent: try again."
      )
      #expect(end < last + .milliseconds(100) + TimeAmount(lateness))
      await engine.close()
    }
  }
}
