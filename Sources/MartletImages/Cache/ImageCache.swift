import EssentialFoundation
public import MartletCore

/// Keeps images in memory, each under an identifier.
///
/// The functions are called from any thread and must return quickly. The effect of a call must be visible to the next
/// call.
public protocol ImageCache: Sendable {
  /// Adds an image, and replaces one with the same identifier.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - identifier: The identifier with which it can be found.
  func add(_ image: RasterImage, withIdentifier identifier: String)

  /// Removes an image.
  ///
  /// - Parameter identifier: The identifier with which it was added.
  /// - Returns: Whether it was there.
  @discardableResult func removeImage(withIdentifier identifier: String) -> Bool

  /// Removes all images.
  ///
  /// - Returns: Whether there were any.
  @discardableResult func removeAllImages() -> Bool

  /// Returns an image, which counts as a use of it.
  ///
  /// - Parameter identifier: The identifier with which it was added.
  /// - Returns: The same image that was added, or `nil` when it is not there.
  func image(withIdentifier identifier: String) -> RasterImage?
}

/// Keeps images by the requests that loaded them; a downloader looks for images here first.
///
/// Only the URL of a request counts, not its method, header fields or body. Additional identifiers distinguish several
/// images of one URL, such as a round and a square one.
///
/// The identifier of an image is the URL, directly followed by the additional identifier: `…/a` with `b` is the same as
/// `…/ab`. An additional identifier that begins with a space avoids this, because no URL contains a space.
///
/// A downloader calls the cache while it holds a lock, so the cache must not call the downloader.
public protocol ImageRequestCache: ImageCache {
  /// Whether a downloader may add an image. The default returns true.
  ///
  /// - Parameters:
  ///   - image: The image that has just been downloaded.
  ///   - request: The request that loaded it.
  ///   - additionalIdentifier: Distinguishes it from others of the same URL; a downloader passes `nil`.
  /// - Returns: Whether to add it.
  func shouldCache(_ image: RasterImage, for request: Request, additionalIdentifier: String?)
    -> Bool
}

extension ImageRequestCache {
  /// Returns true.
  public func shouldCache(
    _ image: RasterImage, for request: Request, additionalIdentifier: String?
  ) -> Bool { true }

  /// Adds an image, and replaces one with the same URL and additional identifier.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - request: The request, of which only the URL counts.
  ///   - additionalIdentifier: Distinguishes it from others of the same URL. The default is none.
  public func add(_ image: RasterImage, for request: Request, additionalIdentifier: String? = nil) {
    add(image, withIdentifier: request.identifier(additionalIdentifier))
  }

  /// Removes an image.
  ///
  /// - Parameters:
  ///   - request: The request, of which only the URL counts.
  ///   - additionalIdentifier: The one that the image was added with. The default is none.
  /// - Returns: Whether it was there.
  @discardableResult
  public func removeImage(for request: Request, additionalIdentifier: String? = nil) -> Bool {
    removeImage(withIdentifier: request.identifier(additionalIdentifier))
  }

  /// Returns an image, which counts as a use of it.
  ///
  /// - Parameters:
  ///   - request: The request, of which only the URL counts.
  ///   - additionalIdentifier: The one that the image was added with. The default is none.
  /// - Returns: The same image that was added, or `nil` when it is not there.
  public func image(for request: Request, additionalIdentifier: String? = nil) -> RasterImage? {
    image(withIdentifier: request.identifier(additionalIdentifier))
  }
}

extension Request {
  /// The identifier of the request's image (IMC-9).
  fileprivate func identifier(_ additionalIdentifier: String?) -> String {
    url.absoluteString + (additionalIdentifier ?? "")
  }
}
