import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// A link that goes down and up, loses large packets, or has small buffers.
@Suite(.enabled(if: SlowNetwork.isAvailable), .timeLimit(.minutes(3)))
struct SlowLinkTests {
  /// A transfer over one of the routes.
  private struct Transfer {
    let route: SlowNetwork.Route
    let isUpload: Bool

    static let all = SlowNetwork.Route.allCases.flatMap { route in
      [Transfer(route: route, isUpload: false), Transfer(route: route, isUpload: true)]
    }
  }

  /// The time-out that is shorter than what happens to the link.
  private static let idle = Duration.seconds(1)
  /// What the link carries through a proxy, in bytes per second.
  private static let rate = 1e6

  private let network: SlowNetwork
  private let medium: Data

  init() throws {
    network = try SlowNetwork()
    medium = try network.data("medium")
  }

  private func request(_ transfer: Transfer, port: Int, as name: String) throws -> Request {
    var request =
      if transfer.isUpload {
        try network.request("upload/\(name)", by: .post, transfer.route, port: port)
      } else {
        try network.request("medium", transfer.route, port: port)
      }
    if transfer.isUpload { request.body = .data(medium) }
    request.call = Call()
    return request
  }

  /// Expects that a transfer ends with every byte at its place.
  private func expectSuccess(
    _ transfer: Transfer, _ request: Request, _ engine: HTTPTransport, as name: String
  ) async throws {
    let answer = try await engine.send(request).data()
    #expect(answer == (transfer.isUpload ? Data("\(medium.count)".utf8) : medium))
    if transfer.isUpload { #expect(try network.received(name) == medium) }
  }

  /// Begins all transfers at once, each through a throttled proxy, and changes the link when all are under way.
  private func withTransfers(
    _ end: @escaping @Sendable (Transfer, Request, TransferSamples) async throws -> Void,
    change: () async throws -> Void
  ) async throws {
    var proxies: [SlowProxy] = []
    defer { proxies.forEach { $0.stop() } }
    for transfer in Transfer.all {
      var scene = SlowScene(transfer.route)
      (scene.up.rate, scene.down.rate) = (Self.rate, Self.rate)
      proxies.append(try await SlowProxy(scene, network))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      var calls: [Call] = []
      for (transfer, proxy) in zip(Transfer.all, proxies) {
        let request = try request(transfer, port: proxy.port, as: Self.name(transfer))
        let call = try #require(request.call)
        calls.append(call)
        let samples = TransferSamples(
          of: call, transfer.isUpload ? \.uploadTransfer : \.downloadTransfer)
        group.addTask { try await end(transfer, request, samples) }
      }
      try await eventually {
        calls.allSatisfy { $0.uploadTransfer.completed + $0.downloadTransfer.completed > 200_000 }
      }
      try await change()
      try await group.waitForAll()
    }
  }

  private static func name(_ transfer: Transfer) -> String { "link-\(transfer.route)" }

  // MARK: Down and up

  @Test func `transfers go on after the link was down for less than the idle time-out`()
    async throws
  {
    let silence = Duration.milliseconds(1500)
    let up = Locked<NIODeadline?>(nil)
    try await withTransfers { [self] transfer, request, _ in
      let engine = network.engine(transfer.route, Timeouts(.seconds(10)))
      try await expectSuccess(transfer, request, engine, as: Self.name(transfer))
      #expect(NIODeadline.now() > (try #require(up.current)))
      await engine.close()
    } change: {
      try network.setLink("down")
      try await Task.sleep(for: silence)
      try network.setLink("up")
      up.withLock { $0 = .now() }
    }
  }

  @Test func `transfers over a link that stays down end with the idle time-out, which is exact`()
    async throws
  {
    try await SlowTimeOut.expectPunctual {
      let down = Locked<NIODeadline?>(nil)
      let punctual = Locked<[Bool]>([])
      try await withTransfers { [self] transfer, request, samples in
        let engine = network.engine(transfer.route, Timeouts(Self.idle))
        let timeOut = SlowTimeOut(phase: transfer.isUpload ? .send : .receive, limit: Self.idle)
        let isPunctual = try await timeOut.expect(request, engine) {
          let last = try #require(samples.lastChange)
          // The last bytes of an upload have left the system before the link was down.
          return (last, transfer.isUpload ? max(last, try #require(down.current)) : last)
        }
        punctual.withLock { $0.append(isPunctual) }
        await engine.close()
      } change: {
        defer { try? network.setLink("up") }
        try network.setLink("down")
        down.withLock { $0 = .now() }
        try await eventually { punctual.current.count == Transfer.all.count }
      }
      return !punctual.current.contains(false)
    }
  }

  @Test func `a link that is down ends the attempt to connect with its time-out, which is exact`()
    async throws
  {
    let engine = network.engine(.http1, Timeouts(.seconds(30), connect: Self.idle))
    let request = try network.request("small", .http1, port: SlowNetwork.Route.http1.port)
    defer { try? network.setLink("up") }
    try network.setLink("down")
    try await SlowTimeOut.expectPunctual {
      let start = NIODeadline.now()
      return try await SlowTimeOut(phase: .connect, limit: Self.idle).expect(request, engine) {
        (start, start)
      }
    }
    try network.setLink("up")
    #expect(try await engine.send(request).data() == (try network.data("small")))
    await engine.close()
  }

  // MARK: Packets that are lost because they are large

  @Test(arguments: SlowNetwork.Route.allCases)
  func
    `a link that loses large packets lets small requests pass, and ends an upload with the idle time-out`(
      _ route: SlowNetwork.Route
    ) async throws
  {
    try await SlowTimeOut.expectPunctual {
      let engine = network.engine(route, Timeouts(Self.idle))
      let small = try network.request("echo/small", route, port: route.port)
      #expect(try await engine.send(small).data() == Data("/echo/small".utf8))
      try network.setLink("mtu", "600")
      defer { try? network.setLink("mtu", "1500") }
      #expect(try await engine.send(small).data() == Data("/echo/small".utf8))
      let transfer = Transfer(route: route, isUpload: true)
      let upload = try request(transfer, port: route.port, as: "lost")
      let samples = TransferSamples(of: try #require(upload.call), \.uploadTransfer)
      let timeOut = SlowTimeOut(phase: .send, limit: Self.idle)
      let isPunctual = try await timeOut.expect(upload, engine) {
        let last = try #require(samples.lastChange)
        return (last, last)
      }
      await engine.close()
      return isPunctual
    }
  }

  @Test
  func `a link that loses large packets ends a download with the idle time-out`() async throws {
    try await SlowTimeOut.expectPunctual {
      let engine = network.engine(.http1, Timeouts(Self.idle))
      let small = try network.request("echo/small", .http1, port: 8001)
      #expect(try await engine.send(small).data() == Data("/echo/small".utf8))
      try network.setLink("mtu", "600", at: .client)
      defer { try? network.setLink("mtu", "1500", at: .client) }
      let download = try request(Transfer(route: .http1, isUpload: false), port: 8001, as: "")
      let samples = TransferSamples(of: try #require(download.call), \.downloadTransfer)
      // The head is in the first large packet.
      let timeOut = SlowTimeOut(phase: .wait, limit: Self.idle)
      let isPunctual = try await timeOut.expect(download, engine) {
        let last = try #require(samples.lastChange)
        return (last, last)
      }
      await engine.close()
      return isPunctual
    }
  }

  @Test(arguments: SlowNetwork.Route.allCases)
  func `transfers go on when a link does not lose large packets any more`(
    _ route: SlowNetwork.Route
  ) async throws {
    for transfer in Transfer.all where transfer.route == route {
      let end: SlowNetwork.End = transfer.isUpload ? .server : .client
      let engine = network.engine(route, Timeouts(.seconds(10)))
      let small = try network.request("echo/small", route, port: route.port)
      #expect(try await engine.send(small).data() == Data("/echo/small".utf8))
      try network.setLink("mtu", "600", at: end)
      defer { try? network.setLink("mtu", "1500", at: end) }
      let request = try request(transfer, port: route.port, as: "found-\(route)")
      let call = try #require(request.call)
      async let success: Void = expectSuccess(transfer, request, engine, as: "found-\(route)")
      try await Task.sleep(for: Self.idle)
      // What has left this system is far less than the body, and nothing large has come.
      #expect(call.uploadTransfer.fractionCompleted < 0.5)
      #expect(call.downloadTransfer.fractionCompleted < 0.5)
      try network.setLink("mtu", "1500", at: end)
      try await success
      await engine.close()
    }
  }

  // MARK: Small buffers

  @Test(arguments: SlowNetwork.Route.allCases)
  func `transfers end well with buffers of a few kilobytes`(_ route: SlowNetwork.Route)
    async throws
  {
    try network.setBuffers(receive: "4096 8192 16384", send: "4096 8192 16384")
    defer { try? network.setBuffers(receive: "4096 131072 6291456", send: "4096 16384 4194304") }
    let engine = network.engine(route, Timeouts(.seconds(10)))
    for transfer in Transfer.all where transfer.route == route {
      let name = "buffers-\(route)"
      try await expectSuccess(
        transfer, request(transfer, port: route.port, as: name), engine, as: name)
    }
    await engine.close()
  }
}
