import EssentialFoundation
import MartletCore
import NIOCore

/// Errors of responses that are not acceptable, or that cannot be decoded.
extension MartletError {
  /// RES-V5.
  static func unacceptableContentType(of response: Response, data: Data) -> MartletError {
    MartletError(
      .unacceptableContentType,
      "Request failed: unacceptable content-type: \(response.mimeType?.masked ?? "(null)")",
      phase: .decode
    ).adding(response, data)
  }

  /// RES-V7.
  static func unacceptableStatusCode(
    of response: Response, data: Data, underlying: MartletError?
  ) -> MartletError {
    let code = response.status.code
    return MartletError(
      .unacceptableStatusCode, "Request failed: \(StatusPhrase.phrase(for: code)) (\(code))",
      phase: .decode, underlying: underlying
    ).adding(response, data).following(response.failedAttempts)
  }

  static func decodingFailed(
    as type: Any.Type, of response: Response, data: Data, underlying: any Error
  ) -> MartletError {
    let reason = (underlying as? DecodingError)?.reason ?? underlying.sentence
    return undecodable(as: name(of: type), reason, underlying: underlying).adding(response, data)
  }

  /// Returns the error of a serializer as a `MartletError`. An error of another type becomes the `underlying` of one
  /// with code `.decodingFailed`.
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
      as: "text", "\(failure.reason) (set `encoding` to the encoding of the text)",
      underlying: failure)
  }

  static func nothingToDecode(as type: Any.Type) -> MartletError {
    undecodable(
      as: name(of: type), "its body is empty (decode an optional type if the body may be empty)")
  }

  /// A body that cannot be decoded. `reason` is a clause.
  package static func undecodable(
    as name: String, _ reason: String, underlying: (any Error)? = nil
  ) -> MartletError {
    MartletError(
      .decodingFailed, "The response could not be decoded as \(name): \(reason).", phase: .decode,
      underlying: underlying)
  }

  /// The name of the type; for an optional, the name of the wrapped type.
  private static func name(of type: Any.Type) -> String {
    let name = "\(type)"
    guard name.hasPrefix("Optional<"), name.hasSuffix(">") else { return name }
    return String(name.dropFirst("Optional<".count).dropLast())
  }

  private func adding(_ response: Response, _ data: Data) -> MartletError {
    var error = self
    error.response = response.head
    error.body = data.errorBody
    return error
  }
}

extension Data {
  /// The beginning of a body, as much as an error keeps. The rest is not copied.
  var errorBody: ByteBuffer { ByteBuffer(bytes: prefix(MartletError.bodyLimit)) }
}

extension DecodingError {
  /// The problem and its place, as a clause.
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
  /// The place of the problem in the body.
  fileprivate var place: String {
    codingPath.isEmpty ? "the body" : "“\(codingPath.path)”"
  }

  /// The most specific description of the problem.
  fileprivate var detail: String {
    underlyingError?.parserDetail ?? debugDescription.asClause
  }
}

extension Error {
  /// The description of the error: its `errorDescription`, if it has one.
  package var sentence: String { (self as? any LocalizedError)?.errorDescription ?? "\(self)" }

  /// The most specific description of the error, as a clause.
  package var detail: String { parserDetail ?? sentence.asClause }

  /// The detail that a parser of Foundation has put into the error.
  fileprivate var parserDetail: String? {
    ((self as? CocoaError)?.userInfo["NSDebugDescription"] as? String)?.asClause
  }
}

extension [any CodingKey] {
  /// The keys in Swift's notation: `users[0].name`.
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
  /// The sentence without its full stop, so that it can be part of another sentence.
  fileprivate var asClause: String {
    hasSuffix(".") ? String(dropLast()) : self
  }
}
