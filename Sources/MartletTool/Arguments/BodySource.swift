/// Where the body of a request comes from.
enum BodySource: Equatable {
  case nothing
  case fields
  case standardInput

  /// What standard input has to offer.
  enum Input: Equatable {
    /// It is a terminal, or is to be ignored.
    case unavailable
    /// It ended at once.
    case empty
    case filled
  }

  /// Fields win over an empty standard input; both at once cannot be sent.
  ///
  /// - Throws: `ToolFailure` when there are both.
  static func choose(hasFields: Bool, input: Input) throws(ToolFailure) -> BodySource {
    switch (hasFields, input) {
    case (true, .filled):
      throw .usage(
        "There are fields on the command line and a body on standard input: send one of them, or give --ignore-stdin."
      )
    case (true, _): .fields
    case (false, .filled): .standardInput
    case (false, _): .nothing
    }
  }
}
