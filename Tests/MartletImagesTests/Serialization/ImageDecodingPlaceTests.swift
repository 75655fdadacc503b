import EssentialFoundation
import Foundation
import Martlet
import MartletImages
import MartletTesting
import NIOCore
import Testing

/// Where pictures are decoded: never on an engine's thread, which others wait for.
@Suite(.timeLimit(.minutes(5)))
struct ImageDecodingPlaceTests {
  /// Notes on which threads it decodes.
  private struct ThreadDecoder: ImageDecoder {
    let threads = Locked<Set<UInt>>([])

    func header(of data: Data) throws -> ImageHeader { try StubDecoder().header(of: data) }

    func pixels(of data: Data) throws -> Pixels {
      threads.withLock { _ = $0.insert(ImageDecodingPlaceTests.thread) }
      return try StubDecoder().pixels(of: data)
    }
  }

  private static var thread: UInt { UInt(pthread_self()) }

  private let decoder = ThreadDecoder()
  private var serializer: ImageResponseSerializer { ImageResponseSerializer(decoder: decoder) }

  private func server() async throws -> LoopbackServer {
    try await LoopbackServer.start(
      router: ServerRouter([.get("/picture") { _ in .text("6x4", type: "image/png") }]))
  }

  @Test func `a response's picture is decoded away from the engine's thread, however small`()
    async throws
  {
    let server = try await server()
    let api = HTTPSessionManager(baseURL: server.url("/"))
    try await api.runOnEventLoop {
      let response: Response = try await api.get("picture")
      let engine = Self.thread
      let image = try await serializer.image(of: response)
      #expect(image.isInflated)
      #expect(Self.thread == engine)
      #expect(!decoder.threads.current.contains(engine))
    }
    await server.stop()
  }

  @Test func `so are those of a batch`() async throws {
    let server = try await server()
    let api = HTTPSessionManager(baseURL: server.url("/"))
    let requests = try (0..<20).map { _ in try api.request(.get, "picture") }
    try await api.runOnEventLoop {
      let engine = Self.thread
      for await outcome in api.send(requests) {
        let image = try await serializer.image(of: try outcome.response)
        #expect(image.isInflated)
      }
      #expect(!decoder.threads.current.isEmpty)
      #expect(!decoder.threads.current.contains(engine))
    }
    await server.stop()
  }

  @Test func `so is that of a task, even one that starts on the engine's thread`() async throws {
    let server = try await server()
    let session = URLSessionManager()
    session.responseSerializer = serializer
    let engine = await session.runOnEventLoop {
      let request = Request(url: server.url("/picture"))
      let object: (any Sendable)? = await withCheckedContinuation { continuation in
        session.dataTask(with: request) { _, object, _ in continuation.resume(returning: object) }
          .resume()
      }
      #expect((object as? RasterImage)?.isInflated == true)
      return Self.thread
    }
    #expect(!decoder.threads.current.isEmpty)
    #expect(!decoder.threads.current.contains(engine))
    await server.stop()
  }
}
