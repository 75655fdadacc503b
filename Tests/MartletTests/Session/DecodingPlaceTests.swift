import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// Where large bodies are decoded.
@Suite(.timeLimit(.minutes(5)))
struct DecodingPlaceTests {
  private static let mainQueue = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) ?? false }

  /// Notes where it was decoded.
  private struct Probe: Decodable, Sendable {
    let wasOnMainQueue: Bool

    init(from decoder: any Decoder) throws {
      wasOnMainQueue = DecodingPlaceTests.isOnMainQueue
    }
  }

  /// Notes which thread it was decoded on.
  private struct ThreadProbe: Decodable, Sendable {
    let thread: UInt

    init(from decoder: any Decoder) throws {
      thread = DecodingPlaceTests.thread
    }
  }

  private static var thread: UInt { UInt(pthread_self()) }

  @Test func `a large body is decoded away from the engine's thread, a small one on it`()
    async throws
  {
    let route = ServerRoute.get("/:size") { request in
      let size = Int(request.parameters["size"] ?? "") ?? 0
      return .text("\"\(String(repeating: "x", count: size))\"", type: "application/json")
    }
    let server = try await LoopbackServer.start(router: ServerRouter([route]))
    let api = HTTPSessionManager(baseURL: server.url("/"))
    try await api.runOnEventLoop {
      let small: ThreadProbe = try await api.get("100")
      let engine = Self.thread
      #expect(small.thread == engine)
      let large: ThreadProbe = try await api.get("5000000")
      #expect(large.thread != engine)
      #expect(Self.thread == engine)
    }
    await server.stop()
  }

  @MainActor
  @Test(.covers("SES-C12"))
  func `a body of 5 MB is decoded away from the main actor`() async throws {
    try #require(Self.isOnMainQueue)
    let text = "\"" + String(repeating: "x", count: 5_000_000) + "\""
    let api = HTTPSessionManager(baseURL: URL(string: "http://in.process/")) {
      $0.transport = InProcessTransport { request in
        Response(
          head: ResponseHead(status: .ok, headers: [.contentType: "application/json"]),
          url: request.url, body: ResponseBody(bytes: ByteBuffer(string: text)))
      }
    }
    let probe: Probe = try await api.get("large")
    #expect(!probe.wasOnMainQueue)
    #expect(Self.isOnMainQueue)
  }
}
