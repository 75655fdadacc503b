import Foundation
import HTTPTypes
import Martlet
import MartletImages
import SpecificationCoverage
import Testing

/// What a downloader loads, and what it keeps.
@Suite(.timeLimit(.minutes(5)))
struct ImageDownloaderTests {
  private let server = PictureServer()

  // MARK: Defaults

  @Test(.covers("IMD-1"))
  func `responses are kept in 20 MiB of memory, and sessions have their defaults`() {
    let configuration = ImageDownloader.makeDefaultConfiguration()
    #expect((configuration.cache as? MemoryResponseCache)?.capacity == 20_971_520)
    #expect(configuration.cookieJar != nil)
    #expect(configuration.timeouts.idle == .seconds(60))
    #expect(ImageDownloader.makeDefaultURLCache() !== ImageDownloader.makeDefaultURLCache())
  }

  @Test(.covers("IMD-2", "T-IMD-01"))
  func `the default has a session for images, waits in order, and caches`() {
    let downloader = ImageDownloader.default
    #expect(downloader === ImageDownloader.default)
    #expect(downloader.sessionManager.baseURL == nil)
    #expect(downloader.sessionManager.responseSerializer is ImageResponseSerializer)
    #expect(downloader.downloadPrioritization == .fifo)
    #expect((downloader.imageCache as? AutoPurgingImageCache)?.memoryCapacity == 104_857_600)
  }

  // MARK: Loading

  @Test(.covers("IMD-3", "T-IMD-03"), arguments: ["tern.png", "ftp://a/tern.png", "http:///a"])
  func `a request that cannot be sent fails, and there is no receipt`(url: String) async throws {
    let request = Request(url: try #require(URL(string: url)))
    let (downloader, caller) = (server.downloader(), Caller())
    #expect(caller.download(request, from: downloader) == nil)
    let answer = try await caller.answer()
    #expect(answer.error?.code == (url.hasPrefix("ftp") ? .unsupportedScheme : .invalidURL))
    #expect(answer.response == nil)
    #expect(answer.request.url == request.url)
    await #expect(throws: MartletError.self) { try await downloader.image(for: request) }
  }

  @Test(.covers("IMD-7", "IMD-9", "IMD-10", "T-IMD-04", "T-IMD-05"))
  func `two pictures that are asked for together both come`() async throws {
    let downloader = server.downloader()
    let (png, jpeg) = (Caller(), Caller())
    png.download(try PictureServer.request("/6x4/a.png"), from: downloader)
    jpeg.download(try PictureServer.request("/8x2/a.jpeg"), from: downloader)
    let (one, other) = (try await png.answer(), try await jpeg.answer())
    #expect((one.response?.status, one.image?.pixelWidth) == (.ok, 6))
    #expect((other.response?.status, other.image?.pixelWidth) == (.ok, 8))
  }

  @Test(.covers("T-IMD-07"))
  func `a picture behind a redirect comes`() async throws {
    let request = try PictureServer.request("/moved/6x4/a")
    let answer = try await Caller.answer(to: request, from: server.downloader())
    #expect((answer.response?.status, answer.image?.pixelWidth) == (.ok, 6))
    #expect(server.asked == ["/moved/6x4/a", "/6x4/a"])
  }

  @Test(.covers("IMD-10", "IMD-12", "T-IMD-17", "T-IMD-18"), arguments: ["/6x4/a", "/404"])
  func `closures run on the main queue`(path: String) async throws {
    let answer = try await Caller.answer(
      to: try PictureServer.request(path), from: server.downloader())
    #expect(answer.isOnMainQueue)
    #expect(answer.response?.status.code == (path == "/404" ? 404 : 200))
    #expect(answer.error?.hasCode(.unacceptableStatusCode) == (path == "/404" ? true : nil))
  }

  @Test(.covers("IMD-10"))
  func `closures run on the session manager's queue, if it has one`() async throws {
    let downloader = server.downloader()
    downloader.sessionManager.completionQueue = DispatchQueue(label: "elsewhere")
    let answer = try await Caller.answer(
      to: PictureServer.request("/6x4/a"), from: downloader)
    #expect(!answer.isOnMainQueue)
  }

  @Test(.covers("IMD-15"))
  func `a response from which the serializer makes no image is an error`() async throws {
    let downloader = ImageDownloader(
      sessionManager: server.sessionManager(HTTPResponseSerializer()), imageCache: nil)
    let error = await #expect(throws: MartletError.self) {
      try await downloader.image(for: PictureServer.request("/6x4/a"))
    }
    #expect(error?.code == .decodingFailed)
    #expect(
      error?.message
        == "The response serializer made no image of http://in.process/6x4/a: give the session manager an ImageResponseSerializer."
    )
  }

  @Test(.covers("IMD-15"))
  func `a picture that cannot be decoded is an error`() async throws {
    await #expect(throws: MartletError.self) {
      try await server.downloader().image(for: PictureServer.request("/x/a"))
    }
  }

  @Test func `a manager that refuses all requests says why`() async throws {
    let policy = try SecurityPolicy(pinningMode: .publicKey)
    let manager = HTTPSessionManager { $0.securityPolicy = policy }
    let downloader = ImageDownloader(sessionManager: manager)
    let error = await #expect(throws: MartletError.self) {
      try await downloader.image(for: PictureServer.request("/6x4/a"))
    }
    #expect(error?.code == .invalidSecurityPolicy)
  }

  // MARK: The cache

  @Test(.covers("IMD-5", "IMD-13", "T-IMD-08", "T-IMD-11"))
  func `what was loaded comes from the cache, without response and receipt`() async throws {
    let downloader = server.downloader()
    let request = try PictureServer.request("/6x4/a")
    let (first, second) = (Caller(), Caller())
    #expect(first.download(request, from: downloader) != nil)
    let image = try #require(try await first.answer().image)
    #expect(second.download(request, from: downloader) == nil)
    let answer = try await second.answer()
    #expect(answer.response == nil)
    #expect(answer.image?.isIdentical(to: image) == true)
    #expect(answer.isOnMainQueue)
    #expect(try await downloader.image(for: request).isIdentical(to: image))
    #expect(server.asked.count == 1)
  }

  @Test(.covers("IMD-13", "T-IMD-09"))
  func `a cache is asked before it is given an image`() async throws {
    let cache = CacheSpy(isWilling: true)
    let downloader = server.downloader(cache: cache)
    let request = try PictureServer.request("/6x4/a")
    let first = try await Caller.answer(to: request, from: downloader)
    let second = try await Caller.answer(to: request, from: downloader)
    let image = try #require(first.image)
    #expect((cache.asked, cache.added) == (1, 1))
    #expect(second.response == nil)
    #expect(second.image?.isIdentical(to: image) == true)
  }

  @Test(.covers("IMD-13", "T-IMD-10"))
  func `a cache that refuses is given nothing`() async throws {
    let cache = CacheSpy(isWilling: false)
    let downloader = server.downloader(cache: cache)
    let request = try PictureServer.request("/6x4/a")
    let first = try await Caller.answer(to: request, from: downloader)
    let second = try await Caller.answer(to: request, from: downloader)
    let image = try #require(first.image)
    #expect((cache.asked, cache.added) == (2, 0))
    #expect(second.response != nil)
    #expect(second.image?.isIdentical(to: image) == false)
  }

  @Test func `without a cache, everything is loaded`() async throws {
    let downloader = server.downloader(cache: nil)
    for _ in 0..<2 { _ = try await downloader.image(for: PictureServer.request("/6x4/a")) }
    #expect(server.asked.count == 2)
  }

  @Test(
    .covers("IMD-5"),
    arguments: [nil, .useProtocolCachePolicy, .returnCacheDataElseLoad, .returnCacheDataDontLoad]
      as [Request.CachePolicy?])
  func `policies that allow it find the cached image`(policy: Request.CachePolicy?) async throws {
    let downloader = server.downloader()
    _ = try await downloader.image(for: PictureServer.request("/6x4/a"))
    _ = try await downloader.image(for: PictureServer.request("/6x4/a", policy))
    #expect(server.asked.count == 1)
  }

  @Test(.covers("IMD-5", "T-IMD-12"))
  func `a request that wants a new image gets one`() async throws {
    let downloader = server.downloader()
    let old = try await downloader.image(for: PictureServer.request("/6x4/a"))
    let request = try PictureServer.request("/6x4/a", .reloadIgnoringLocalCacheData)
    let caller = Caller()
    #expect(caller.download(request, from: downloader) != nil)
    let answer = try await caller.answer()
    #expect(answer.response?.headers[.eTag] == "2")
    #expect(answer.image?.isIdentical(to: old) == false)
  }

  @Test(.covers("IMD-6"))
  func `a request that wants no network is left to the session when the image is not cached`()
    async throws
  {
    let request = try PictureServer.request("/6x4/a", .returnCacheDataDontLoad)
    let (downloader, caller) = (server.downloader(), Caller())
    #expect(caller.download(request, from: downloader) != nil)
    #expect(try await caller.answer().error?.code == .notCached)
    #expect(server.asked.isEmpty)
  }
}
