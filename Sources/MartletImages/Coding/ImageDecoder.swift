public import EssentialFoundation

/// Turns encoded images into pixels.
///
/// All functions receive bytes from the network. They must return or throw for any bytes.
public protocol ImageDecoder: Sendable {
  /// Reads the header of an image, without decoding it or allocating memory for its pixels.
  ///
  /// - Parameter data: The encoded image.
  /// - Returns: The size of the decoded image.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are not an image.
  func header(of data: Data) throws -> ImageHeader

  /// Decodes an image; of an animated one, only the first frame.
  ///
  /// - Parameter data: The encoded image.
  /// - Returns: Pixels of the size in the header.
  /// - Throws: `MartletError` with code `.decodingFailed` when the image is cut off or broken.
  func pixels(of data: Data) throws -> Pixels

  /// Whether the format of an image can be decoded, even if the image is broken. The default is true.
  ///
  /// A response serializer returns an image of another format without decoding it (RES-I4).
  ///
  /// - Parameter data: The encoded image.
  /// - Returns: False for a format of which only the header can be read.
  func canDecode(_ data: Data) -> Bool
}

extension ImageDecoder {
  /// Returns true.
  public func canDecode(_ data: Data) -> Bool { true }
}

/// The size of an encoded image, from its header.
public struct ImageHeader: Hashable, Sendable {
  /// How many pixels a row has.
  public var width: Int
  /// How many rows there are.
  public var height: Int

  /// A header.
  ///
  /// - Parameters:
  ///   - width: How many pixels a row has.
  ///   - height: How many rows there are.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels, at most `Int.max`.
  var pixels: Int {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    return overflows ? .max : pixels
  }

  /// Reads the header of an image in one of the formats of ``ImageFormat``.
  ///
  /// Nothing is decoded, so the time does not depend on the number of pixels. The size takes the orientation of TIFF,
  /// JPEG and AVIF images into account.
  ///
  /// - Parameter data: The encoded image.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are not such an image.
  public init(reading data: Data) throws {
    self = try EncodedImage(reading: data).header
  }
}
