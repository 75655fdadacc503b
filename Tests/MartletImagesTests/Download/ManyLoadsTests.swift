import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletImages
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// Many loads of few pictures.
@Suite(.timeLimit(.minutes(5)))
struct ManyLoadsTests {
  /// A server whose pictures have `size`, and that holds them back until `isOpen`.
  private func server(_ size: String, _ isOpen: AwaitableValue<Bool>) async throws -> LoopbackServer
  {
    try await .start(
      router: ServerRouter([
        .get("/picture/:number") { _ in
          try await isOpen.wait { $0 }
          return ServerResponse(
            headers: [.contentType: "image/png"], body: .bytes(ByteBuffer(string: size)))
        }
      ]))
  }

  private func downloader(
    _ serializer: any HTTPResponseSerializing, cache: AutoPurgingImageCache
  ) -> ImageDownloader {
    ImageDownloader(
      sessionManager: HTTPSessionManager {
        $0.session = ImageDownloader.makeDefaultConfiguration()
        $0.responseSerializer = serializer
        $0.completionQueue = .global()
      }, imageCache: cache)
  }

  @Test(.covers("IMD-4", "IMD-8"))
  func `1000 loads of 50 pictures make 50 requests, and all get theirs`() async throws {
    let isOpen = AwaitableValue(false)
    // 140 MB of pictures, for a cache of 100 MiB.
    let server = try await server("700x1000", isOpen)
    let cache = AutoPurgingImageCache(memoryPressure: nil)
    let downloader = downloader(ImageResponseSerializer(decoder: StubDecoder()), cache: cache)
    let (got, failed, most) = (AwaitableValue(0), Locked(0), Locked(UInt64(0)))
    for load in 0..<1000 {
      downloader.download(Request(url: server.url("/picture/\(load % 50)"))) { _, _, image in
        let usage = cache.memoryUsage
        most.withLock { $0 = max($0, usage) }
        got.update { $0 += image.pixelWidth == 700 ? 1 : 0 }
      } failure: { _, _, _ in
        failed.withLock { $0 += 1 }
      }
    }
    isOpen.update { $0 = true }
    try await got.wait(within: .seconds(60)) {
      "Only \($0) loads of 1000 got a picture."
    } until: {
      $0 == 1000
    }
    #expect(failed.current == 0)
    #expect(server.requestCount == 50)
    #expect(most.current > 0)
    #expect(most.current <= cache.memoryCapacity)
  }

  @Test(.covers("IMD-4", "IMD-5"))
  func `1000 tasks that come as they like make 50 requests as well`() async throws {
    let server = try await server("850x300", AwaitableValue(true))
    let cache = AutoPurgingImageCache(memoryPressure: nil)
    let downloader = downloader(ImageResponseSerializer(decoder: StubDecoder()), cache: cache)
    let widths = try await withThrowingTaskGroup(of: Int.self) { group in
      for load in 0..<1000 {
        let request = Request(url: server.url("/picture/\(load % 50)"))
        group.addTask { try await downloader.image(for: request).pixelWidth }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(widths == Array(repeating: 850, count: 1000))
    #expect(server.requestCount == 50)
    #expect(cache.memoryUsage == 50 * 1_020_000)
  }

  @Test(.covers("IMC-4"))
  func `a small cache lets go of all but a few of many pictures`() async throws {
    let server = try await server("10x10", AwaitableValue(true))
    let living = Living()
    // Room for five.
    let cache = AutoPurgingImageCache(
      memoryCapacity: 2000, preferredMemoryUsageAfterPurge: 1200, memoryPressure: nil)
    let downloader = downloader(CountedSerializer(living: living), cache: cache)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for load in 0..<300 {
        if load >= 4 { try await group.next() }
        // Five in the cache, one that is being purged with others, and four under way; those on their way out
        // may take a moment.
        try await eventually { living.count.current.now <= 10 }
        let request = Request(url: server.url("/picture/\(load)"))
        group.addTask { _ = try await downloader.image(for: request).pixels() }
      }
      try await group.waitForAll()
    }
    #expect(living.count.current.made == 300)
    #expect(living.count.current.most <= 14)
    try await eventually { UInt64(living.count.current.now) * 400 == cache.memoryUsage }
    cache.removeAllImages()
    try await eventually { living.count.current.now == 0 }
  }
}

/// How many images there are.
private final class Living: Sendable {
  let count = Locked((made: 0, now: 0, most: 0))

  func begin() {
    count.withLock { count in
      count.made += 1
      count.now += 1
      count.most = max(count.most, count.now)
    }
  }

  func end() { count.withLock { $0.now -= 1 } }
}

/// Decodes one image, and lives as long as it does.
private final class CountedDecoder: ImageDecoder {
  private let living: Living

  init(_ living: Living) {
    self.living = living
    living.begin()
  }

  deinit { living.end() }

  func header(of data: Data) throws -> ImageHeader { try StubDecoder().header(of: data) }
  func pixels(of data: Data) throws -> Pixels { try StubDecoder().pixels(of: data) }
}

/// Gives every image a decoder of its own.
private struct CountedSerializer: HTTPResponseSerializing {
  var http = HTTPResponseSerializer()
  var living: Living

  init(living: Living) {
    self.living = living
  }

  func serialize(_ response: Response, data: Data) throws -> RasterImage {
    try decode(response, data: data) { try RasterImage($0, decoder: CountedDecoder(living)) }
  }
}
