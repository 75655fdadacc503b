/// Keeps images in memory, each under an identifier.
///
/// It is called from any thread, and must be quick. What has returned has happened: the next call sees it.
public protocol ImageCache: Sendable {
  /// Keeps an image, in place of the one that was kept under the identifier.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - identifier: What it can be found under.
  func add(_ image: Image, withIdentifier identifier: String)

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
  func image(withIdentifier identifier: String) -> Image?
}
