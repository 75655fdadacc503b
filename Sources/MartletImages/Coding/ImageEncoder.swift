public import EssentialFoundation
import MartletEssentials

/// A format to encode pixels in.
public enum ImageOutputFormat: Hashable, Sendable {
  /// PNG, which loses nothing.
  case png
  /// JPEG of a quality from 0, the worst, to 1; what is transparent becomes white.
  case jpeg(quality: Double)
}

/// Turns pixels into encoded pictures.
public protocol ImageEncoder: Sendable {
  /// The encoded picture.
  ///
  /// - Parameters:
  ///   - pixels: The pixels.
  ///   - encoding: The format.
  /// - Returns: The bytes of a file.
  /// - Throws: `MartletError` when it cannot.
  func data(of pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data
}

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
  public func data(of pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data {
    try Self.encode(pixels, as: encoding)
  }
}
