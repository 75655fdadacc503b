import EssentialFoundation
public import MartletCore

/// Keeps images in memory, each under an identifier.
///
/// It is called from any thread, and must be quick. What has returned has happened: the next call sees it.
public protocol ImageCache: Sendable {
  /// Keeps an image, in place of the one that was kept under the identifier.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - identifier: What it can be found under.
  func add(_ image: RasterImage, withIdentifier identifier: String)

  /// Forgets an image.
  ///
  /// - Parameter identifier: What it was added under.
  /// - Returns: Whether it was there.
  @discardableResult func removeImage(withIdentifier identifier: String) -> Bool

  /// Forgets all images.
  ///
  /// - Returns: Whether there were any.
  @discardableResult func removeAllImages() -> Bool

  /// Looks an image up, which counts as a use of it.
  ///
  /// - Parameter identifier: What it was added under.
  /// - Returns: The very image that was added, or `nil` when it is not there.
  func image(withIdentifier identifier: String) -> RasterImage?
}

/// Keeps images under the requests that brought them: what a downloader asks first.
///
/// A request stands for its URL alone; method, header fields and body do not matter. Several pictures that come
/// of one URL, such as a round and a square one, are told apart by additional identifiers.
///
/// The identifier of an image is the URL, directly followed by the additional identifier: `…/a` with `b` is the same as
/// `…/ab`. An additional identifier that begins with a blank is safe, for no URL has one.
///
/// A downloader asks while it decides, under a lock: the cache must not call the downloader.
public protocol ImageRequestCache: ImageCache {
  /// Whether a downloader may add an image. The default says yes to every one.
  ///
  /// - Parameters:
  ///   - image: What has just been downloaded.
  ///   - request: What brought it.
  ///   - additionalIdentifier: Tells it apart from others of the same URL; a downloader gives none.
  /// - Returns: Whether to add it.
  func shouldCache(_ image: RasterImage, for request: Request, additionalIdentifier: String?)
    -> Bool
}

extension ImageRequestCache {
  /// Yes.
  public func shouldCache(
    _ image: RasterImage, for request: Request, additionalIdentifier: String?
  ) -> Bool { true }

  /// Keeps an image, in place of the one that was kept for the same URL with the same additional identifier.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - request: Its URL is what counts.
  ///   - additionalIdentifier: Tells it apart from others of the same URL. The default is none.
  public func add(_ image: RasterImage, for request: Request, additionalIdentifier: String? = nil) {
    add(image, withIdentifier: request.identifier(additionalIdentifier))
  }

  /// Forgets an image.
  ///
  /// - Parameters:
  ///   - request: Its URL is what counts.
  ///   - additionalIdentifier: The one that the image was added with. The default is none.
  /// - Returns: Whether it was there.
  @discardableResult
  public func removeImage(for request: Request, additionalIdentifier: String? = nil) -> Bool {
    removeImage(withIdentifier: request.identifier(additionalIdentifier))
  }

  /// Looks an image up, which counts as a use of it.
  ///
  /// - Parameters:
  ///   - request: Its URL is what counts.
  ///   - additionalIdentifier: The one that the image was added with. The default is none.
  /// - Returns: The very image that was added, or `nil` when it is not there.
  public func image(for request: Request, additionalIdentifier: String? = nil) -> RasterImage? {
    image(withIdentifier: request.identifier(additionalIdentifier))
  }
}

extension Request {
  /// What an image of it is kept under (IMC-9).
  fileprivate func identifier(_ additionalIdentifier: String?) -> String {
    url.absoluteString + (additionalIdentifier ?? "")
  }
}
