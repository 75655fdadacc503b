import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Where large bodies are decoded.
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

  @MainActor
  @Test func `a body of 5 MB is decoded away from the main actor`() async throws {
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
