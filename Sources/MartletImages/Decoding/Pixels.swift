/// A decoded picture: rows of pixels from the top, each four bytes, red, green, blue and alpha, with
/// the colours already multiplied by alpha.
public struct Pixels: Hashable, Sendable {
  /// How many pixels a row has.
  public let width: Int
  /// How many rows there are.
  public let height: Int
  /// The bytes: `width × height × 4`, no row padded.
  public let bytes: [UInt8]

  /// Pixels from their bytes, or `nil` when these are not `width × height × 4`.
  ///
  /// - Parameters:
  ///   - width: How many pixels a row has.
  ///   - height: How many rows there are.
  ///   - bytes: Red, green, blue and alpha of each pixel, the colours multiplied by alpha.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflows, bytes.count / 4 == count, bytes.count % 4 == 0 else {
      return nil
    }
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}
