public import EssentialFoundation
import MartletEssentials

/// Decodes images with the platform's library.
///
/// * With the package's trait `Images`, gdk-pixbuf decodes: TIFF, JPEG, GIF, PNG, ICO, BMP and XBM, and
///   WebP and AVIF where their loaders are installed (on Debian `webp-pixbuf-loader` and
///   `libavif-gdk-pixbuf`).
/// * Without the trait, ImageIO decodes on Apple platforms.
/// * Without the trait, on other platforms, only headers are read, and decoding throws an error that explains what to
///   do.
///
/// The format is recognized by the first bytes, not by the content type, and only the formats of ``ImageFormat`` are
/// passed to a library: gdk-pixbuf also loads others, such as SVG, whose documents may refer to files. A decoder may be
/// used by many threads at once.
public struct SystemImageDecoder: ImageDecoder, Hashable, Codable {
  /// A decoder.
  public init() {}

  /// Reads the header of an image; see ``ImageHeader/init(reading:)``.
  ///
  /// - Parameter data: The encoded image.
  /// - Returns: The size of the decoded image.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are not an image.
  public func header(of data: Data) throws -> ImageHeader {
    try ImageHeader(reading: data)
  }

  /// Decodes the first frame of an image, rotated by its orientation.
  ///
  /// - Parameter data: The encoded image.
  /// - Returns: Pixels of the size in the header.
  /// - Throws: `MartletError` with code `.decodingFailed` when the image is cut off or broken, or no library decodes
  ///   its format.
  public func pixels(of data: Data) throws -> Pixels {
    let picture = try EncodedImage(reading: data).checkedForDecoding()
    let pixels = try Self.decode(picture)
    guard ImageHeader(width: pixels.width, height: pixels.height) == picture.header else {
      throw MartletError.oversizedImage
    }
    return pixels
  }

  /// Whether the format of an image is among ``formats``.
  ///
  /// - Parameter data: The encoded image.
  /// - Returns: Whether its pixels can be decoded, unless it is broken.
  public func canDecode(_ data: Data) -> Bool {
    ImageFormat(of: data).map(Self.formats.contains) ?? false
  }
}
