extension ServerRequest {
  /// What a placeholder of the path matched.
  func text(_ name: String) -> String {
    parameters[name] ?? ""
  }

  /// What a placeholder matched, as a number.
  ///
  /// - Throws: `Refusal` with 400 when it is none, or not in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int {
    try Self.integer(text(name), name, range)
  }

  /// A query item as a number, or `nil` when there is none of this name.
  ///
  /// - Throws: `Refusal` with 400 when it is no number, or not in `range`.
  func queryInteger(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    try query(name).map { try Self.integer($0, name, range) }
  }

  /// A query item as a number of seconds, 0 … 10.
  ///
  /// - Throws: `Refusal` with 400 when it is no number.
  func querySeconds(_ name: String, default seconds: Double) throws -> Duration {
    try query(name).map(Self.seconds) ?? .seconds(seconds)
  }

  /// A number of seconds, fractions allowed; more than 10 means 10, as with httpbin.
  static func seconds(_ text: String) throws -> Duration {
    guard let seconds = Double(text), seconds >= 0, !seconds.isNaN else {
      throw Refusal.badRequest("“\(text)” is not a number of seconds.")
    }
    return .seconds(min(seconds, 10))
  }

  private static func integer(
    _ text: String, _ name: String, _ range: ClosedRange<Int>
  ) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Refusal.badRequest(
        "“\(text)” is no number from \(range.lowerBound) to \(range.upperBound) for \(name).")
    }
    return number
  }
}
