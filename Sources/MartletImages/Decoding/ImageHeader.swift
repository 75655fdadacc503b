public import Foundation

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
    self = try EncodedPicture(reading: data).header
  }
}
