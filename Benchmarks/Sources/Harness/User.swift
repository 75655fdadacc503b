/// One element of the array that typed requests decode.
public struct User: Decodable, Sendable {
  /// A number.
  public var id: Int
  /// A text, with characters outside of ASCII.
  public var name: String
  /// A text.
  public var email: String
  /// A Boolean value.
  public var isActive: Bool
  /// A number with a fraction.
  public var score: Double
  /// A nested array.
  public var tags: [String]
}
