import Foundation
import HTTPTypes
import Martlet
import MartletImages
import MartletTesting
import SpecificationCoverage
import TestTiming
import Testing

/// Bindings, which show one image at a time.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ImageBindingTests {
  private let server = PictureServer(isHeld: true)
  private let downloader: ImageDownloader
  private let screen = Screen()
  private let binding: ImageBinding

  init() {
    downloader = server.downloader()
    binding = ImageBinding(imageDownloader: downloader) { [screen] in screen.shown.append($0) }
  }

  /// What is to be seen, and was.
  @MainActor
  private final class Screen {
    var shown: [RasterImage?] = []
    var image: RasterImage? { shown.last ?? nil }
    /// The answers to closures.
    var told: [String] = []
    var images: [RasterImage] = []
  }

  private func picture(_ size: String = "1x1") throws -> RasterImage {
    try RasterImage(Data(size.utf8), decoder: StubDecoder())
  }

  /// Shows a picture with closures that record `name`.
  private func show(
    _ name: String, _ request: Request, placeholder: RasterImage? = nil, in binding: ImageBinding
  ) {
    binding.setImage(with: request, placeholder: placeholder) { [screen] _, response, image in
      screen.told.append("\(name): \(response == nil ? "cached" : "loaded")")
      screen.images.append(image)
    } failure: { [screen] _, response, error in
      let isBadStatus = error.hasCode(.unacceptableStatusCode)
      screen.told.append(
        "\(name): \(isBadStatus ? "status \(response?.status.code ?? 0)" : "\(error.code)")")
    }
  }

  private func untilLoaded(_ bindings: ImageBinding...) async throws {
    try await eventually { !bindings.contains(where: \.isLoading) }
  }

  // MARK: Showing

  @Test(.covers("UIX-7", "UIX-8", "T-UIX-07", "T-UIX-10"))
  func `an image is shown when it is there`() async throws {
    binding.setImage(with: try PictureServer.request("/6x4/a").url)
    #expect(binding.isLoading)
    #expect(screen.shown.isEmpty)
    server.letGo()
    try await untilLoaded(binding)
    #expect(screen.image?.pixelWidth == 6)
  }

  @Test(.covers("UIX-7"))
  func `a placeholder is shown first, and at once`() async throws {
    binding.setImage(with: try PictureServer.request("/6x4/a").url, placeholder: try picture())
    #expect(screen.shown.map { $0?.pixelWidth } == [1])
    server.letGo()
    try await untilLoaded(binding)
    #expect(screen.shown.map { $0?.pixelWidth } == [1, 6])
  }

  @Test(.covers("UIX-2"))
  func `a URL is asked for images, as everything else is asked for`() async throws {
    binding.setImage(with: try PictureServer.request("/6x4/a").url)
    let request = try #require(downloader.sessionManager.session.tasks.first?.originalRequest)
    #expect(request.method == .get)
    #expect(request.headers == [.accept: "image/*"])
    #expect(request.options == Request.Options())
  }

  @Test(.covers("UIX-8", "T-UIX-12"))
  func `a failure leaves the placeholder`() async throws {
    server.letGo()
    show("bad", try PictureServer.request("/404"), placeholder: try picture(), in: binding)
    try await untilLoaded(binding)
    #expect(screen.image?.pixelWidth == 1)
    #expect(screen.told == ["bad: status 404"])
  }

  @Test(.covers("UIX-1"))
  func `a binding without a downloader of its own has the shared one`() {
    #expect(ImageBinding.sharedImageDownloader === ImageDownloader.default)
    ImageBinding.sharedImageDownloader = downloader
    defer { ImageBinding.sharedImageDownloader = .default }
    #expect(ImageBinding { _ in }.imageDownloader === downloader)
  }

  // MARK: Requests that cannot be sent

  @Test(.covers("UIX-3", "T-UIX-15"), arguments: [true, false])
  func `a request that cannot be sent shows the placeholder, and fails at once`(
    hasPlaceholder: Bool
  ) throws {
    let url = try #require(URL(string: "tern.png"))
    show("bad", Request(url: url), placeholder: hasPlaceholder ? try picture() : nil, in: binding)
    #expect(screen.shown.map { $0?.pixelWidth } == [hasPlaceholder ? 1 : nil])
    #expect(screen.told == ["bad: invalidURL"])
    #expect(!binding.isLoading)
  }

  @Test(.covers("UIX-3", "T-UIX-16"))
  func `no URL shows the placeholder, whatever was waited for`() async throws {
    binding.setImage(with: try PictureServer.request("/6x4/a").url)
    binding.setImage(with: nil, placeholder: try picture())
    #expect(!binding.isLoading)
    server.letGo()
    _ = try await downloader.image(for: PictureServer.request("/6x4/b"))
    #expect(screen.shown.map { $0?.pixelWidth } == [1])
  }

  // MARK: The same again

  @Test(.covers("UIX-4", "T-UIX-11"))
  func `asking for what is waited for already changes nothing`() async throws {
    let request = try PictureServer.request("/6x4/a")
    binding.setImage(with: request.url)
    show("second", request, placeholder: try picture(), in: binding)
    server.letGo()
    try await untilLoaded(binding)
    #expect(screen.shown.map { $0?.pixelWidth } == [6])
    #expect(screen.told == [])
    #expect(server.asked.count == 1)
  }

  @Test(.covers("UIX-6", "T-UIX-13"))
  func `a cached image is shown at once, or given to the closure`() async throws {
    server.letGo()
    let request = try PictureServer.request("/6x4/a")
    let image = try await downloader.image(for: request)
    show("cached", request, placeholder: try picture(), in: binding)
    #expect(screen.told == ["cached: cached"])
    #expect(screen.images.last?.isIdentical(to: image) == true)
    #expect(screen.shown.isEmpty)
    binding.setImage(with: request.url, placeholder: try picture())
    #expect(screen.shown.count == 1)
    #expect(screen.image?.isIdentical(to: image) == true)
    #expect(!binding.isLoading)
  }

  @Test(.covers("UIX-5"))
  func `a request that wants a new image is not shown the cached one`() async throws {
    server.letGo()
    let old = try await downloader.image(for: PictureServer.request("/6x4/a"))
    binding.setImage(with: try PictureServer.request("/6x4/a", .reloadIgnoringLocalCacheData))
    #expect(screen.shown.isEmpty)
    try await untilLoaded(binding)
    #expect(screen.image?.isIdentical(to: old) == false)
  }

  // MARK: Another in its place

  @Test(.covers("UIX-5", "UIX-8"))
  func `what was asked for before never shows, however late it comes`() async throws {
    show("first", try PictureServer.request("/6x4/a"), in: binding)
    try await server.waitForRequests(1)
    binding.setImage(with: try PictureServer.request("/8x2/b").url)
    server.letGo()
    try await untilLoaded(binding)
    #expect(screen.shown.map { $0?.pixelWidth } == [8])
    #expect(screen.told == [])
  }

  @Test(.covers("UIX-8"))
  func `a closure may ask for the next image`() async throws {
    let next = try PictureServer.request("/8x2/b")
    binding.setImage(with: try PictureServer.request("/404")) { _, _, _ in
    } failure: { [binding] _, _, _ in
      binding.setImage(with: next.url)
    }
    server.letGo()
    try await untilLoaded(binding)
    #expect(screen.image?.pixelWidth == 8)
  }

  @Test(.covers("UIX-8"))
  func `an image requested when the placeholder shows replaces the first one`() async throws {
    let next = try PictureServer.request("/8x2/b").url
    let picky = Picky()
    let binding = ImageBinding(imageDownloader: downloader) { [screen] image in
      screen.shown.append(image)
      if image?.pixelWidth == 1 { picky.binding?.setImage(with: next) }
    }
    picky.binding = binding
    binding.setImage(with: try PictureServer.request("/6x4/a").url, placeholder: try picture())
    server.letGo()
    try await untilLoaded(binding)
    #expect(screen.shown.map { $0?.pixelWidth } == [1, 8])
  }

  /// Knows the binding that it shows for.
  @MainActor
  private final class Picky {
    weak var binding: ImageBinding?
  }

  @Test(.covers("UIX-9"))
  func `cancelling is silent`() async throws {
    show("first", try PictureServer.request("/6x4/a"), in: binding)
    let task = try #require(downloader.sessionManager.session.tasks.first)
    binding.cancelImageDownload()
    #expect(!binding.isLoading)
    server.letGo()
    try await eventually { task.state == .completed }
    _ = try await Caller.answer(to: PictureServer.request("/6x4/b"), from: downloader)
    #expect(screen.told == [])
    #expect(screen.shown.isEmpty)
  }

  @Test(.covers("UIX-9", "T-UIX-08", "T-UIX-09", "T-UIX-14"))
  func `what was cancelled can be asked for again at once`() async throws {
    let request = try PictureServer.request("/6x4/a")
    show("first", request, in: binding)
    binding.cancelImageDownload()
    show("second", request, in: binding)
    server.letGo()
    try await untilLoaded(binding)
    #expect(screen.told == ["second: loaded"])
    #expect(screen.images.map(\.pixelWidth) == [6])
  }

  @Test func `bindings do not disturb each other`() async throws {
    let other = ImageBinding(imageDownloader: downloader) { [screen] in screen.shown.append($0) }
    let request = try PictureServer.request("/6x4/a")
    show("one", request, in: binding)
    show("other", request, in: other)
    binding.cancelImageDownload()
    server.letGo()
    try await untilLoaded(other)
    #expect(screen.told == ["other: loaded"])
  }

  @Test func `a binding that is dropped ends its download`() async throws {
    var binding: ImageBinding? = ImageBinding(imageDownloader: downloader) { _ in }
    binding?.setImage(with: try PictureServer.request("/6x4/a").url)
    let task = try #require(downloader.sessionManager.session.tasks.first)
    binding = nil
    try await eventually { task.state == .completed }
    #expect(task.error?.code == .cancelled)
  }
}
