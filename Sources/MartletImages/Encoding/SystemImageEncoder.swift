public import Foundation
import Martlet

/// Encodes pictures with what the platform has: gdk-pixbuf with the package's trait `Images`, or else
/// ImageIO on Apple platforms.
public struct SystemImageEncoder: ImageEncoder, Hashable, Codable {
  /// An encoder.
  public init() {}

  /// The encoded picture.
  ///
  /// - Parameters:
  ///   - pixels: The pixels.
  ///   - encoding: The format.
  /// - Returns: The bytes of a file.
  /// - Throws: `MartletError` with code `.encodingFailed` when nothing here encodes pictures, or the
  ///   library does not encode these.
  public func data(of pixels: Pixels, as encoding: ImageEncoding) throws -> Data {
    try Self.encode(pixels, as: encoding)
  }
}
