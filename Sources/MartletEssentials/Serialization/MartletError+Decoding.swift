import EssentialFoundation
import MartletCore
import NIOCore

/// Responses that are not what was asked for.
extension MartletError {
  /// RES-V5.
  static func unacceptableContentType(of response: Response, data: Data) -> MartletError {
    MartletError(
      .unacceptableContentType,
      "Request failed: unacceptable content-type: \(response.mimeType?.masked ?? "(null)")",
      phase: .decode
    ).about(response, data)
  }

  /// RES-V7.
  static func unacceptableStatusCode(
    of response: Response, data: Data, underlying: MartletError?
  ) -> MartletError {
    let code = response.status.code
    return MartletError(
      .unacceptableStatusCode, "Request failed: \(StatusPhrase.phrase(for: code)) (\(code))",
      phase: .decode, underlying: underlying
    ).about(response, data)
  }

  static func decodingFailed(
    as type: Any.Type, of response: Response, data: Data, underlying: any Error
  ) -> MartletError {
    let reason = (underlying as? DecodingError)?.reason ?? underlying.sentence
    return undecodable(as: name(of: type), reason, underlying: underlying).about(response, data)
  }

  /// What a serializer has thrown, put into words if it is not already.
  static func serialization(
    _ error: any Error, as type: Any.Type, of response: Response, data: Data
  ) -> MartletError {
    error as? MartletError ?? decodingFailed(as: type, of: response, data: data, underlying: error)
  }

  static func notJSON(_ problem: JSONReader.Problem) -> MartletError {
    undecodable(
      as: "JSON", problem.description,
      underlying: CocoaError(
        .propertyListReadCorrupt, userInfo: ["NSDebugDescription": problem.description]))
  }

  static func notText(_ failure: TextEncoding.Failure) -> MartletError {
    undecodable(
      as: "text", "\(failure.reason) (set `encoding` to the one that it is in)",
      underlying: failure)
  }

  static func nothingToDecode(as type: Any.Type) -> MartletError {
    undecodable(
      as: name(of: type), "its body is empty (decode an optional if that may be)")
  }

  /// A body that is not what it was taken for. The reason is a clause.
  package static func undecodable(
    as name: String, _ reason: String, underlying: (any Error)? = nil
  ) -> MartletError {
    MartletError(
      .decodingFailed, "The response could not be decoded as \(name): \(reason).", phase: .decode,
      underlying: underlying)
  }

  /// The name of the type, or of what it wraps when it is an optional.
  private static func name(of type: Any.Type) -> String {
    let name = "\(type)"
    guard name.hasPrefix("Optional<"), name.hasSuffix(">") else { return name }
    return String(name.dropFirst("Optional<".count).dropLast())
  }

  private func about(_ response: Response, _ data: Data) -> MartletError {
    var error = self
    error.response = response.head
    error.body = data.keptInError
    return error
  }
}

extension Data {
  /// As much of a body as an error keeps; the rest is not even copied.
  var keptInError: ByteBuffer { ByteBuffer(bytes: prefix(MartletError.bodyLimit)) }
}

extension DecodingError {
  /// What is wrong and where, as a clause.
  var reason: String {
    switch self {
    case .keyNotFound(let key, let context):
      "“\((context.codingPath + [key]).path)” is missing"
    case .valueNotFound(let type, let context):
      "\(context.place) is null where a value of type \(type) is needed"
    case .typeMismatch(let type, let context):
      "\(context.place) is not of type \(type)"
    case .dataCorrupted(let context):
      "\(context.place) is malformed: \(context.detail)"
    @unknown default: sentence
    }
  }
}

extension DecodingError.Context {
  /// Where it happened.
  fileprivate var place: String {
    codingPath.isEmpty ? "the body" : "“\(codingPath.path)”"
  }

  /// The most telling account of what happened.
  fileprivate var detail: String {
    underlyingError?.parserDetail ?? debugDescription.asClause
  }
}

extension Error {
  /// What the error says of itself.
  package var sentence: String { (self as? any LocalizedError)?.errorDescription ?? "\(self)" }

  /// The most telling account of what happened, as a clause.
  package var detail: String { parserDetail ?? sentence.asClause }

  /// What one of Foundation's parsers has to say.
  fileprivate var parserDetail: String? {
    ((self as? CocoaError)?.userInfo["NSDebugDescription"] as? String)?.asClause
  }
}

extension [any CodingKey] {
  /// The keys as one writes them: `users[0].name`.
  fileprivate var path: String {
    reduce(into: "") { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue.masked
      }
    }
  }
}

extension String {
  /// The sentence without its full stop, so that it can stand inside another.
  fileprivate var asClause: String {
    hasSuffix(".") ? String(dropLast()) : self
  }
}
