import Foundation

/// Parameters that cannot be written.
extension MartletError {
  /// A value of a type that has no form on the wire.
  static func unsupportedParameter(_ value: Any, at path: String) -> MartletError {
    .invalidParameters(
      "the value at “\(path.masked)” is of type \(type(of: value)): give text, a number, a boolean, a date, data, or a container of these with text for keys"
    )
  }

  /// A value whose own `encode(to:)` failed.
  static func parametersNotEncodable(as type: Any.Type, underlying: any Error) -> MartletError {
    let reason = (underlying as? EncodingError)?.reason ?? underlying.localizedDescription
    return .invalidParameters("\(type) does not encode, because \(reason)", underlying: underlying)
  }

  /// A value that property lists have no form for.
  static func notInPropertyLists(_ what: String, at path: String) -> MartletError {
    .invalidParameters("the value at “\(path.masked)” is \(what), which property lists do not have")
  }

  /// A format of property lists that can only be read.
  static let propertyListFormatNotWritable = MartletError.invalidParameters(
    "property lists cannot be written in the OpenStep format: use xml or binary")

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
