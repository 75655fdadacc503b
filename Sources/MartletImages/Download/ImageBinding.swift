public import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Loads images by URL for a place that shows one image at a time, such as an image view or a button.
///
///     let binding = ImageBinding { [weak view] image in view?.image = image }
///     binding.setImage(with: url, placeholder: hourglass)
///
/// The last request wins: the image of an earlier request is never shown, however late it arrives. The view keeps the
/// binding, and the binding's closure refers to the view weakly. A binding that is released cancels its download.
@MainActor
public final class ImageBinding {
  /// Shows an image, or no image for `nil`.
  public typealias DisplayHandler = @MainActor (_ image: RasterImage?) -> Void
  /// Called with an image, which it has to show itself. The response is `nil` when the image was in the cache.
  public typealias Success =
    @MainActor @Sendable (_ request: Request, _ response: Response?, _ image: RasterImage) -> Void
  /// Called with the error when there is no image.
  public typealias Failure =
    @MainActor @Sendable (_ request: Request, _ response: Response?, _ error: MartletError) -> Void

  /// The download that the binding waits for.
  private struct Download {
    var receiptID: UUID
    var url: String
    var success: Success?
    var failure: Failure?
  }

  /// The downloader of all bindings that are created without one. The default is ``ImageDownloader/default``.
  public static var sharedImageDownloader = ImageDownloader.default

  /// The downloader that loads the images.
  public let imageDownloader: ImageDownloader
  private let display: DisplayHandler
  private var download: Download?

  /// A binding that shows nothing yet.
  ///
  /// - Parameters:
  ///   - imageDownloader: The downloader that loads the images. The default is ``sharedImageDownloader``.
  ///   - display: Called with each image to show, and with `nil` to show no image.
  public init(imageDownloader: ImageDownloader? = nil, _ display: @escaping DisplayHandler) {
    self.imageDownloader = imageDownloader ?? Self.sharedImageDownloader
    self.display = display
  }

  deinit {
    if let download { imageDownloader.cancel(download.receiptID, of: download.url) }
  }

  /// Whether an image is being loaded.
  public var isLoading: Bool { download != nil }

  /// Shows the image of a URL as soon as it is loaded.
  ///
  /// - Parameters:
  ///   - url: The URL of the image; for `nil`, only the placeholder is shown.
  ///   - placeholder: Shown until then. The default, `nil`, keeps the current image while a URL is loaded.
  public func setImage(with url: URL?, placeholder: RasterImage? = nil) {
    guard let url else {
      cancelImageDownload()
      return display(placeholder)
    }
    setImage(with: Request(url: url, headers: [.accept: "image/*"]), placeholder: placeholder)
  }

  /// Shows the image of a request as soon as it is loaded, or at once if it is in the cache.
  ///
  /// While the image of the same URL is being loaded, the call has no effect, and its closures are not called.
  ///
  /// - Parameters:
  ///   - request: The request to send. Its cache policy decides whether the image cache is used (UIX-5 differs: it
  ///     ignores the policy).
  ///   - placeholder: Shown until the image is loaded. The default, `nil`, keeps the current image. If the request
  ///     cannot be sent, the placeholder is shown, or no image for `nil`.
  ///   - success: Called with the image instead of showing it. The default shows it.
  ///   - failure: Called with the error, unless the download is cancelled or replaced by another one. If the request
  ///     cannot be sent, it is called at once. The default does nothing.
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
    // `display` may request another image, which replaces this one. No image is delivered before this function returns.
    if let placeholder { display(placeholder) }
  }

  /// Cancels the download; no closure is called (UIX-9).
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

  /// Handles the end of the current download, and ignores the end of any other (UIX-8).
  private func finish(_ receiptID: UUID, _ outcome: ImageOutcome) {
    guard let download, download.receiptID == receiptID else { return }
    // Before the closures, which may request the next image.
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
