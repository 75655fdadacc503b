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
}
