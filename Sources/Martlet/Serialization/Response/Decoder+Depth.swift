extension Decoder {
  /// Returns when the place in the body is not too deep for a value of any type.
  ///
  /// Such a value tries one type after the other, and each failure tells the way down to it, which takes
  /// Foundation the square of the depth: a kilobyte with 500 levels would take ten seconds.
  ///
  /// - Throws: `DecodingError` below 64 levels.
  func checkDepth() throws {
    guard codingPath.count > 64 else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: [], debugDescription: "values of any type are taken up to 64 levels deep"))
  }
}
