public import EssentialFoundation
import MartletEssentials

/// A format to encode pixels in.
public enum ImageOutputFormat: Hashable, Sendable {
  /// PNG, without loss.
  case png
  /// JPEG of a quality from 0, the worst, to 1; transparent areas become white.
  case jpeg(quality: Double)
}

/// Turns pixels into encoded images.
public protocol ImageEncoder: Sendable {
  /// Encodes pixels.
  ///
  /// - Parameters:
  ///   - pixels: The pixels.
  ///   - encoding: The format.
  /// - Returns: The bytes of a file.
  /// - Throws: `MartletError` when the pixels cannot be encoded.
  func data(of pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data
}

/// Encodes images with the platform's library: gdk-pixbuf with the package's trait `Images`, or else ImageIO on Apple
/// platforms.
public struct SystemImageEncoder: ImageEncoder, Hashable, Codable {
  /// An encoder.
  public init() {}

  /// Encodes pixels.
  ///
  /// - Parameters:
  ///   - pixels: The pixels.
  ///   - encoding: The format.
  /// - Returns: The bytes of a file.
  /// - Throws: `MartletError` with code `.encodingFailed` when there is no library, or when it cannot encode the
  ///   pixels.
  public func data(of pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data {
    try Self.encode(pixels, as: encoding)
  }
}
