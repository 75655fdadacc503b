public import EssentialFoundation

/// Turns encoded pictures into pixels.
///
/// All functions meet bytes from the network: whatever these hold, they return or throw.
public protocol ImageDecoder: Sendable {
  /// What a picture says of itself, found without decoding it or taking memory for its pixels.
  ///
  /// - Parameter data: The encoded picture.
  /// - Returns: Its size, as its pixels will have it.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are no picture.
  func header(of data: Data) throws -> ImageHeader

  /// The pixels of a picture; of one that moves, those of its first frame.
  ///
  /// - Parameter data: The encoded picture.
  /// - Returns: As many pixels as its header says.
  /// - Throws: `MartletError` with code `.decodingFailed` when the picture is cut off or broken.
  func pixels(of data: Data) throws -> Pixels

  /// Whether the format of a picture is one that can be decoded here, whatever the state of its pixels. The
  /// default is true.
  ///
  /// A response serializer leaves a picture of any other format as it came (RES-I4).
  ///
  /// - Parameter data: The encoded picture.
  /// - Returns: False for a format that only its header is read of.
  func canDecode(_ data: Data) -> Bool
}

extension ImageDecoder {
  /// True.
  public func canDecode(_ data: Data) -> Bool { true }
}

/// What an encoded picture says of itself.
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

  /// How many pixels that is; more than there can be count as most.
  var pixels: Int {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    return overflows ? .max : pixels
  }

  /// The header of a picture in one of the formats of ``ImageFormat``.
  ///
  /// It is read without decoding anything, so that its cost does not depend on the size of the picture, and
  /// is the size as the picture is meant to be seen: a TIFF, a JPEG and an AVIF picture say how they are turned.
  ///
  /// - Parameter data: The encoded picture.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are no such picture.
  public init(reading data: Data) throws {
    self = try EncodedImage(reading: data).header
  }
}
