public import EssentialFoundation
public import MartletCore
import NIOCore

/// The details of an error, as a server describes them in a body of the type `application/problem+json` (RFC 9457).
///
///     do {
///       try await api.post("accounts", parameters: ["owner": owner])
///     } catch let error as MartletError {
///       print(error.problemDetails?.detail ?? error.message)
///     }
public struct ProblemDetails: Hashable, Sendable, Decodable {
  /// A URI reference that identifies the type of the problem. The default is `about:blank`: the status says all.
  public var type = "about:blank"
  /// A short summary of the type of the problem.
  public var title: String?
  /// The status code.
  public var status: Int?
  /// An explanation of this occurrence of the problem.
  public var detail: String?
  /// A URI reference that identifies this occurrence of the problem.
  public var instance: String?
  /// The members that are specific to the type of the problem.
  public var extensions: [String: JSON] = [:]

  /// Details without members.
  public init() {}

  /// Decodes details. A member whose value has another type than it should is ignored (RFC 9457 §3.1).
  ///
  /// - Throws: `DecodingError` for data that is not a JSON object.
  public init(from decoder: any Decoder) throws {
    self.init(members: try [String: JSON](from: decoder))
  }

  init(members: [String: JSON]) {
    var members = members
    type = members.removeValue(forKey: "type")?.stringValue ?? type
    title = members.removeValue(forKey: "title")?.stringValue
    status = members.removeValue(forKey: "status")?.intValue
    detail = members.removeValue(forKey: "detail")?.stringValue
    instance = members.removeValue(forKey: "instance")?.stringValue
    extensions = members
  }
}

/// The body of the response that an error is about.
extension MartletError {
  /// The details in a body of the type `application/problem+json`; `nil` for other bodies, and for more than 64 KiB.
  public var problemDetails: ProblemDetails? {
    guard let body, let response, response.mimeType == "application/problem+json",
      case .object(let members)? = try? JSON(parsing: Data(body.readableBytesView))
    else { return nil }
    return ProblemDetails(members: members)
  }

  /// Decodes the body of the response, of which an error keeps the first 64 KiB.
  ///
  ///     catch let error as MartletError {
  ///       let failure = try error.decode(APIFailure.self)
  ///
  /// - Parameters:
  ///   - type: The type of the value. The default is inferred from the context.
  ///   - decoder: The decoder. The default is a plain `JSONDecoder`.
  /// - Returns: The value.
  /// - Throws: The error itself if it has no body; `MartletError` with code `.decodingFailed` when the body cannot be
  ///   decoded.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with decoder: any DataDecoder = JSONDecoder()
  ) throws -> Value {
    guard let body else { throw self }
    do {
      return try decoder.decodeValue(type, from: Data(body.readableBytesView))
    } catch let error as MartletError {
      throw error
    } catch {
      let reason = (error as? DecodingError)?.reason ?? error.sentence
      throw MartletError.undecodable(as: "\(type)", reason, underlying: error)
    }
  }

  /// The first 64 KiB of the response's body as a text in UTF-8, with U+FFFD in place of other bytes; `nil` without a
  /// body.
  public var bodyText: String? {
    body.map { String(decoding: $0.readableBytesView, as: UTF8.self) }
  }
}
