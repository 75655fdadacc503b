public import Foundation

extension Image {
  /// The picture as a PNG file, which loses nothing but how many bits a colour had beyond eight.
  ///
  /// - Parameter encoder: Encodes it. The default is the platform's.
  /// - Returns: The bytes of the file.
  /// - Throws: `MartletError` when the picture cannot be decoded, or not encoded.
  public func pngData(encoder: any ImageEncoder = SystemImageEncoder()) throws -> Data {
    try encoder.data(of: pixels(), as: .png)
  }

  /// The picture as a JPEG file, in which what is transparent is white.
  ///
  /// - Parameters:
  ///   - quality: From 0, the worst, to 1. The default is 0.9.
  ///   - encoder: Encodes it. The default is the platform's.
  /// - Returns: The bytes of the file.
  /// - Throws: `MartletError` when the picture cannot be decoded, or not encoded.
  public func jpegData(
    quality: Double = 0.9, encoder: any ImageEncoder = SystemImageEncoder()
  ) throws -> Data {
    try encoder.data(of: pixels(), as: .jpeg(quality: quality))
  }
}
