/// Where the body of a request comes from.
enum BodySource: Equatable {
  case nothing
  case items
  case standardInput

  /// What standard input has to offer.
  enum Input: Equatable {
    /// It is a terminal, or is to be ignored.
    case unavailable
    /// It ended at once.
    case empty
    case filled
  }

  /// Items win over an empty standard input; both at once cannot be sent.
  ///
  /// - Parameters:
  ///   - hasItems: Whether items of the command line make a body.
  ///   - input: What standard input has to offer.
  /// - Returns: Where the body comes from.
  /// - Throws: `ToolFailure` when there are both.
  static func choose(hasItems: Bool, input: Input) throws(ToolFailure) -> BodySource {
    switch (hasItems, input) {
    case (true, .filled):
      throw .usage(
        "There is a body on the command line and another on standard input: send one of them, or give --ignore-stdin."
      )
    case (true, _): .items
    case (false, .filled): .standardInput
    case (false, _): .nothing
    }
  }
}
