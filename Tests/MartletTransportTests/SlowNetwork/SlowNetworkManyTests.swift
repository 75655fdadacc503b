import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// Many requests at once over a slow network.
@Suite(.enabled(if: SlowNetwork.isAvailable), .timeLimit(.minutes(3)))
struct SlowNetworkManyTests {
  private typealias Direction = SlowScene.Direction

  /// Bytes per second of a connection with 63 streams.
  private static let rate = 2e6

  private let network: SlowNetwork

  init() throws { network = try SlowNetwork() }

  @Test(arguments: SlowNetwork.Route.allCases)
  func `a thousand small requests get their own responses through delays that vary`(
    _ route: SlowNetwork.Route
  ) async throws {
    let delay = Direction(delay: 0.02, jitter: 0.03)
    try await network.withProxy(SlowScene(route, up: delay, down: delay)) { proxy in
      let engine = network.engine(route, Timeouts(.seconds(10)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<1000 {
          group.addTask { [network, port = proxy.port] in
            let response = try await engine.send(
              network.request("echo/\(number)", route, port: port))
            #expect(String(buffer: try await response.body.collect()) == "/echo/\(number)")
            // No response can come before it has passed the network twice.
            let metrics = response.metrics
            #expect(metrics.requestDuration + metrics.timeToFirstByte >= .milliseconds(40))
          }
        }
        try await group.waitForAll()
      }
      let connections = Set(try proxy.arrivals.map(\.connection)).count
      #expect(connections <= 64)
      await engine.close()
    }
  }

  @Test(arguments: [SlowNetwork.Route.http2, .https])
  func `63 downloads at once share one slow connection, and end when it has carried their bytes`(
    _ route: SlowNetwork.Route
  ) async throws {
    let medium = try network.data("medium")
    let small = try network.data("small")
    let scene = SlowScene(route, down: Direction(rate: Self.rate))
    try await network.withProxy(scene) { proxy in
      let engine = network.engine(route, Timeouts(.seconds(30)))
      let ends = try await endsOfStreams { [network, port = proxy.port] isLarge, _ in
        let name = isLarge ? "medium" : "small"
        let response = try await engine.send(network.request(name, route, port: port))
        #expect(try await response.data() == (isLarge ? medium : small))
      }
      // The server decides on the order.
      let arrivals = try proxy.arrivals.filter { $0.down != nil }
      let carried = try #require(arrivals.last).deadline - (try #require(arrivals.first)).deadline
      let last = try #require((ends.small + ends.large).max())
      #expect(last >= carried)
      #expect(last <= carried + .seconds(1))
      #expect(Set(try proxy.arrivals.map(\.connection)) == [1])
      await engine.close()
    }
  }

  @Test(arguments: [SlowNetwork.Route.http2, .https])
  func `sixty small uploads end before three large ones on the same slow connection`(
    _ route: SlowNetwork.Route
  ) async throws {
    let medium = try network.data("medium")
    let small = try network.data("small")
    let scene = SlowScene(route, up: Direction(rate: Self.rate))
    try await network.withProxy(scene) { proxy in
      let engine = network.engine(route, Timeouts(.seconds(30)))
      let ends = try await endsOfStreams { [network, port = proxy.port] isLarge, number in
        let name = "many-\(route)-\(number)"
        var request = try network.request("upload/\(name)", by: .post, route, port: port)
        let body = isLarge ? medium : small
        request.body = .data(body)
        let response = try await engine.send(request)
        #expect(String(buffer: try await response.body.collect()) == "\(body.count)")
        #expect(try network.received(name) == body)
      }
      try checkOrder(ends, proxy)
      await engine.close()
    }
  }

  /// Runs 63 exchanges at once, the first three of them large, and returns how long the small and the large ones took.
  private func endsOfStreams(
    _ exchange: @escaping @Sendable (_ isLarge: Bool, _ number: Int) async throws -> Void
  ) async throws -> (small: [TimeAmount], large: [TimeAmount]) {
    let start = NIODeadline.now()
    return try await withThrowingTaskGroup(of: (Bool, TimeAmount).self) { group in
      for number in 0..<63 {
        group.addTask {
          try await exchange(number < 3, number)
          return (number < 3, .now() - start)
        }
      }
      var ends: (small: [TimeAmount], large: [TimeAmount]) = ([], [])
      for try await (isLarge, end) in group {
        if isLarge { ends.large.append(end) } else { ends.small.append(end) }
      }
      return ends
    }
  }

  /// Expects that all streams had one connection, and that the small ones did not wait for the large ones.
  private func checkOrder(
    _ ends: (small: [TimeAmount], large: [TimeAmount]), _ proxy: SlowProxy
  ) throws {
    let (small, large) = (try #require(ends.small.max()), try #require(ends.large.min()))
    #expect(small < large)
    #expect(Set(try proxy.arrivals.map(\.connection)) == [1])
  }

  @Test
  func `requests whose connections overtake each other get their own responses`() async throws {
    var scene = SlowScene(.http1)
    scene.reorders = true
    try await network.withProxy(scene) { proxy in
      for round in 0..<10 {
        let engine = network.engine(.http1, Timeouts(.seconds(10)))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<2 {
            group.addTask { [network, port = proxy.port] in
              let path = "echo/\(round)/\(number)"
              let response = try await engine.send(network.request(path, .http1, port: port))
              #expect(String(buffer: try await response.body.collect()) == "/\(path)")
            }
          }
          try await group.waitForAll()
        }
        await engine.close()
      }
      // Of two connections, the second is answered first.
      let answered = try proxy.arrivals.filter { $0.down != nil }.map(\.connection)
      let expected = (1...10).flatMap { round -> [Int] in [2 * round, 2 * round - 1] }
      #expect(answered == expected)
    }
  }
}
