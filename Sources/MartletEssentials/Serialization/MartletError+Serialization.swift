import EssentialFoundation

/// Errors of parameters that cannot be encoded.
extension MartletError {
  /// A value of a type that cannot be encoded.
  package static func unsupportedParameter(_ value: Any, at path: String) -> MartletError {
    .invalidParameters(
      "the value at “\(path.masked)” is of type \(type(of: value)): give text, a number, a boolean, a date, data, or a container of these with text for keys"
    )
  }

  /// A value whose own `encode(to:)` failed.
  package static func parametersNotEncodable(as type: Any.Type, underlying: any Error)
    -> MartletError
  {
    let reason = (underlying as? EncodingError)?.reason ?? underlying.sentence
    return .invalidParameters("\(type) does not encode, because \(reason)", underlying: underlying)
  }

  /// An error that a custom request serializer has thrown.
  static func requestNotMade(_ error: any Error) -> MartletError {
    .invalidParameters("the request serializer threw “\("\(error)".masked)”", underlying: error)
  }

  /// An error that the configuration of a request has thrown.
  static func requestNotConfigured(_ error: any Error) -> MartletError {
    MartletError(
      .invalidRequest,
      "The request was not sent, because its configuration threw “\("\(error)".masked)”.",
      phase: .send, underlying: error)
  }

  /// A query that cannot be part of a URL (REQ-H23 differs: there the URL is lost without an error).
  static func queryNotUsable(_ query: String) -> MartletError {
    .invalidParameters("the query “\(query.masked)” has characters not allowed in a URL")
  }

  /// A query with characters that the serializer's encoding does not have.
  static func queryNotEncodable(in encoding: String.Encoding) -> MartletError {
    .invalidParameters("they hold characters that \(encoding) does not have")
  }
}

extension EncodingError {
  /// The problem, as a clause.
  fileprivate var reason: String? {
    switch self {
    case .invalidValue(_, let context): context.debugDescription
    @unknown default: nil
    }
  }
}
