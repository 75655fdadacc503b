public import EssentialFoundation
import MartletEssentials

/// Decodes pictures with what the platform has.
///
/// * With the package's trait `Images`, gdk-pixbuf decodes: TIFF, JPEG, GIF, PNG, ICO, BMP and XBM, and
///   WebP and AVIF where their loaders are installed (on Debian `webp-pixbuf-loader` and
///   `libavif-gdk-pixbuf`).
/// * On Apple platforms without it, ImageIO does.
/// * Elsewhere without it headers are read, and pixels are an error that says what to do.
///
/// The format is found in the first bytes, whatever the response calls it, and only those formats are handed
/// to a library at all: gdk-pixbuf by itself loads others, such as SVG, whose documents name files.
/// It may be used by many threads at once.
public struct SystemImageDecoder: ImageDecoder, Hashable, Codable {
  /// A decoder.
  public init() {}

  /// What a picture says of itself; see ``ImageHeader/init(reading:)``.
  ///
  /// - Parameter data: The encoded picture.
  /// - Returns: Its size.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are no picture.
  public func header(of data: Data) throws -> ImageHeader {
    try ImageHeader(reading: data)
  }

  /// The pixels of a picture, of its first frame, turned as it is meant to be seen.
  ///
  /// - Parameter data: The encoded picture.
  /// - Returns: As many pixels as its header says.
  /// - Throws: `MartletError` with code `.decodingFailed` when the picture is cut off or broken, or
  ///   nothing here decodes its format.
  public func pixels(of data: Data) throws -> Pixels {
    let picture = try EncodedImage(reading: data).whole()
    let pixels = try Self.decode(picture)
    guard ImageHeader(width: pixels.width, height: pixels.height) == picture.header else {
      throw MartletError.oversizedImage
    }
    return pixels
  }

  /// Whether the format of a picture is among ``formats``.
  ///
  /// - Parameter data: The encoded picture.
  /// - Returns: Whether its pixels can be decoded, unless it is broken.
  public func canDecode(_ data: Data) -> Bool {
    ImageFormat(of: data).map(Self.formats.contains) ?? false
  }
}
