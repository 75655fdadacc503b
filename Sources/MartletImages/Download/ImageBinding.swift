public import EssentialFoundation
import HTTPTypes
public import MartletCore

/// A place that shows one image at a time: what an image view or a button needs to show images by URL.
///
///     let binding = ImageBinding { [weak view] image in view?.image = image }
///     binding.setImage(with: url, placeholder: hourglass)
///
/// The last one who asks wins: whatever was asked for before never shows, however late it comes. The view keeps
/// the binding, whose closure refers to it weakly; a binding that is dropped waits for nothing any more.
@MainActor
public final class ImageBinding {
  /// Shows an image, or nothing.
  public typealias DisplayHandler = @MainActor (_ image: RasterImage?) -> Void
  /// Called with an image, which it has to show itself; without a response when it was in the cache.
  public typealias Success =
    @MainActor @Sendable (_ request: Request, _ response: Response?, _ image: RasterImage) -> Void
  /// Called when there is no image.
  public typealias Failure =
    @MainActor @Sendable (_ request: Request, _ response: Response?, _ error: MartletError) -> Void

  /// What the binding waits for.
  private struct Download {
    var receiptID: UUID
    var url: String
    var success: Success?
    var failure: Failure?
  }

  /// Loads for all bindings that are made without a downloader. The default is ``ImageDownloader/default``.
  public static var sharedImageDownloader = ImageDownloader.default

  /// Loads the images.
  public let imageDownloader: ImageDownloader
  private let display: DisplayHandler
  private var download: Download?

  /// A binding that shows nothing yet.
  ///
  /// - Parameters:
  ///   - imageDownloader: Loads the images. The default is ``sharedImageDownloader``.
  ///   - display: Called with each image that is to be seen, and with `nil` for a placeholder that is none.
  public init(imageDownloader: ImageDownloader? = nil, _ display: @escaping DisplayHandler) {
    self.imageDownloader = imageDownloader ?? Self.sharedImageDownloader
    self.display = display
  }

  deinit {
    if let download { imageDownloader.cancel(download.receiptID, of: download.url) }
  }

  /// Whether an image is waited for.
  public var isLoading: Bool { download != nil }

  /// Shows the image of a URL, as soon as it is there.
  ///
  /// - Parameters:
  ///   - url: Where the image is; for `nil`, the placeholder is all there is to see.
  ///   - placeholder: Shown until then. The default, `nil`, leaves what is to be seen.
  public func setImage(with url: URL?, placeholder: RasterImage? = nil) {
    guard let url else {
      cancelImageDownload()
      return display(placeholder)
    }
    setImage(with: Request(url: url, headers: [.accept: "image/*"]), placeholder: placeholder)
  }

  /// Shows the image of a request, as soon as it is there; at once, if the cache has it.
  ///
  /// When the image of the same URL is waited for already, nothing happens, and the closures are not called.
  ///
  /// - Parameters:
  ///   - request: What to load. Its cache policy says whether the cache of images is asked (in place of UIX-5).
  ///   - placeholder: Shown until the image is there. The default, `nil`, leaves what is to be seen.
  ///   - success: Called with the image in place of showing it. The default shows it.
  ///   - failure: Called with the error, unless the download is cancelled or another takes its place; of a request that
  ///     cannot be sent, at once. The default does nothing.
  public func setImage(
    with request: Request, placeholder: RasterImage? = nil, success: Success? = nil,
    failure: Failure? = nil
  ) {
    let url = request.url.absoluteString
    guard download?.url != url else { return }
    cancelImageDownload()
    do {
      _ = try request.origin
    } catch {
      display(placeholder)
      failure?(request, nil, error)
      return
    }
    if let image = imageDownloader.cachedImage(for: request) {
      return deliver(image, to: success, request, nil)
    }
    load(request, Download(receiptID: UUID(), url: url, success: success, failure: failure))
    // A request for another image from here takes the place of this one; none comes before this is over.
    if let placeholder { display(placeholder) }
  }

  /// Waits no longer; no closure is told (UIX-9).
  public func cancelImageDownload() {
    guard let download else { return }
    self.download = nil
    imageDownloader.cancel(download.receiptID, of: download.url)
  }

  private func load(_ request: Request, _ download: Download) {
    self.download = download
    let handler = ImageResponseHandler(receiptID: download.receiptID) { [weak self] outcome in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.finish(download.receiptID, outcome) }
      }
    }
    _ = imageDownloader.begin(request, handler)
  }

  /// Only what is waited for still counts (UIX-8).
  private func finish(_ receiptID: UUID, _ outcome: ImageOutcome) {
    guard let download, download.receiptID == receiptID else { return }
    // Before the closures, which may ask for the next image.
    self.download = nil
    switch outcome.result {
    case .success(let image):
      deliver(image, to: download.success, outcome.request, outcome.response)
    case .failure(let error): download.failure?(outcome.request, outcome.response, error)
    }
  }

  private func deliver(
    _ image: RasterImage, to success: Success?, _ request: Request, _ response: Response?
  ) {
    if let success { success(request, response, image) } else { display(image) }
  }
}
