public import Foundation

/// Turns encoded pictures into pixels.
///
/// Both functions meet bytes from the network: whatever these hold, they return or throw.
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
}
