public import Foundation

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
