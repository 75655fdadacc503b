import EssentialFoundation

/// Parameters that cannot be written.
extension MartletError {
  /// A value of a type that has no form on the wire.
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

  /// What a request serializer of the application's own has thrown.
  static func requestNotMade(_ error: any Error) -> MartletError {
    .invalidParameters("the request serializer says “\("\(error)".masked)”", underlying: error)
  }

  /// A query that a URL cannot hold (in place of REQ-H23).
  static func queryNotUsable(_ query: String) -> MartletError {
    .invalidParameters("the query “\(query.masked)” holds what may not stand in a URL")
  }

  /// A query that cannot be written in the serializer's encoding.
  static func queryNotEncodable(in encoding: String.Encoding) -> MartletError {
    .invalidParameters("they hold characters that \(encoding) does not have")
  }
}

extension EncodingError {
  /// What went wrong, as a clause.
  fileprivate var reason: String? {
    switch self {
    case .invalidValue(_, let context): context.debugDescription
    @unknown default: nil
    }
  }
}
