import MartletCore

/// Has large bodies ask the server's leave before they are sent (RFC 9110 §10.1.1).
struct ExpectationStep: Step {
  /// Bodies of more bytes than this ask, and those of an unknown number.
  let threshold: Int64

  func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
    if request.body.length ?? .max > threshold { request.options.expectsContinue = true }
    return .done
  }
}
