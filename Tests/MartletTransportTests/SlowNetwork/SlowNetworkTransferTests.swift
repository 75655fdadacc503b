import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// Bodies over a slow network, and what is said about them meanwhile.
@Suite(.enabled(if: SlowNetwork.isAvailable), .timeLimit(.minutes(3)))
struct SlowNetworkTransferTests {
  /// Bytes per second.
  private static let rate = 512.0 * 1024
  /// By how much the time that is left may be wrong at half time, and the rate.
  private static let tolerance = 0.25

  private let network: SlowNetwork

  init() throws { network = try SlowNetwork() }

  @Test(arguments: SlowNetwork.Route.allCases)
  func `a throttled download reports how much has come, how fast, and how long the rest takes`(
    _ route: SlowNetwork.Route
  ) async throws {
    let expected = try network.data("medium")
    let scene = SlowScene(route, down: SlowScene.Direction(rate: Self.rate))
    try await network.withProxy(scene) { proxy in
      let engine = network.engine(route, Timeouts(.seconds(10)))
      var request = try network.request("medium", route, port: proxy.port)
      request.delivery = .stream
      let call = Call()
      request.call = call
      let samples = TransferSamples(of: call, \.downloadTransfer)
      let response = try await engine.send(request)
      var body = ByteBuffer()
      for try await var chunk in response.body {
        body.writeBuffer(&chunk)
        let progress = call.downloadTransfer
        #expect(progress.total == Int64(expected.count))
        #expect(progress.completed >= body.readableBytes)
      }
      let end = NIODeadline.now()
      #expect(Data(body.readableBytesView) == expected)
      #expect(call.downloadTransfer.completed == expected.count)
      let arrivals = try proxy.arrivals.compactMap { line in line.down.map { (line.deadline, $0) } }
      try check(samples, end: end, arrivals: arrivals)
      await engine.close()
    }
  }

  @Test(arguments: SlowNetwork.Route.allCases)
  func
    `a throttled upload reports what the server has, how fast it takes it, and how long the rest takes`(
      _ route: SlowNetwork.Route
    ) async throws
  {
    let body = try network.data("medium")
    let name = "throttled-\(route)"
    let scene = SlowScene(route, up: SlowScene.Direction(rate: Self.rate))
    try await network.withProxy(scene) { proxy in
      let engine = network.engine(route, Timeouts(.seconds(10)))
      var request = try network.request("upload/\(name)", by: .post, route, port: proxy.port)
      request.body = .data(body)
      let call = Call()
      request.call = call
      let samples = TransferSamples(of: call, \.uploadTransfer)
      #expect(try await engine.send(request).data() == Data("\(body.count)".utf8))
      #expect(try network.received(name) == body)
      #expect(call.uploadTransfer.completed == body.count)
      let arrivals = try proxy.arrivals.compactMap { line in line.up.map { (line.deadline, $0) } }
      try check(samples, end: try #require(arrivals.last).0, arrivals: arrivals)
      try checkCounts(samples, arrivals: arrivals)
      await engine.close()
    }
  }

  /// Expects that no byte of an upload is counted before the system has room for it, and each soon after it has arrived.
  private func checkCounts(
    _ samples: TransferSamples, arrivals: [(time: NIODeadline, bytes: Int)]
  ) throws {
    // The system holds as many bytes that it has not sent as the engine allows, and fills one buffer of 64 KiB more. The
    // receive buffer of the proxy has 64 KiB.
    let ahead = UnsentLimit.lowest + (64 << 10) + (64 << 10)
    // Bytes are counted when the system has taken a whole slice. Frames and records add less than a hundredth.
    let behind = BodyChunks.slice
    var index = 0
    for sample in samples.all where sample.time >= (try #require(arrivals.first).time) {
      while index + 1 < arrivals.count, arrivals[index + 1].time <= sample.time { index += 1 }
      let (completed, arrived) = (Int(sample.progress.completed), arrivals[index].bytes)
      #expect(completed <= arrived + ahead)
      #expect(completed >= arrived - arrived / 100 - behind - 1000)
    }
  }

  /// Expects that the rate and the time that is left, as they were reported at half time, were right.
  ///
  /// By as much as the network was not steady, the time may be wrong.
  private func check(
    _ samples: TransferSamples, end: NIODeadline, arrivals: [(time: NIODeadline, bytes: Int)]
  ) throws {
    let (first, last) = (try #require(arrivals.first), try #require(arrivals.last))
    let half = first.time + .nanoseconds((end - first.time).nanoseconds / 2)
    let sample = try samples.first(after: half)
    let arrived = try #require(arrivals.last { $0.time <= sample.time }).bytes
    let rate = Double(arrived) / seconds(sample.time - first.time)
    let left = seconds(end - sample.time)
    let unsteadiness = abs(Double(last.bytes - arrived) / rate / left - 1)
    let reportedRate = try #require(sample.progress.bytesPerSecond)
    let reportedLeft = seconds(try #require(sample.predictedEnd) - sample.time)
    print(
      "at half time, rate \(reportedRate / rate), time left \(reportedLeft / left), unsteady by \(unsteadiness)"
    )
    #expect(abs(reportedRate / rate - 1) <= Self.tolerance)
    #expect(abs(reportedLeft / left - 1) <= Self.tolerance + 2 * unsteadiness)
  }

  private func seconds(_ time: TimeAmount) -> Double { Double(time.nanoseconds) / 1e9 }
}
