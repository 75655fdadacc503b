public import EssentialFoundation
import MartletCore

/// Puts parameters into the query of a URL or into a form body, and adds default headers.
///
///     var serializer = HTTPRequestSerializer()
///     serializer.setAuthorization(username: "ada", password: "…")
///     serializer.timeoutInterval = .seconds(20)
///     let request = try serializer.request(
///       method: .get, urlString: "https://example.com/birds", parameters: ["q": "terns"])
///
/// It is a value type: a copy has all settings, and changing it does not change the original (REQ-H30 differs: there a
/// copy loses some settings).
public struct HTTPRequestSerializer: HTTPRequestSerializing, Equatable {
  /// The default headers. Initially they are `Accept: */*`, `Accept-Language` and `User-Agent`. A request that is made
  /// without a serializer does not have them.
  ///
  /// A field that a request already has is not changed (REQ-H17). Names are compared without regard to case (REQ-H6
  /// differs: there the default headers are case-sensitive).
  public internal(set) var httpRequestHeaders = DefaultHeaders.fields

  /// How parameters become text. The default is `.default`.
  public var queryStringStyle = QueryStringStyle.default
  /// How the names and values of queries and forms are written. The default has the documented defaults.
  public var parameterEncoding = ParameterEncoding()
  /// The encoding of form bodies and of the fields of multipart forms. The default is UTF-8.
  public var stringEncoding = String.Encoding.utf8
  /// The methods whose parameters are put into the URL, in upper case. The default is GET, HEAD and DELETE.
  public var methodsEncodingParametersInURL: Set<HTTPRequest.Method> = [.get, .head, .delete]

  /// Whether cellular links may be used. The default, `nil`, leaves it to the session (REQ-H10).
  public var allowsCellularAccess: Bool?
  /// How caches are used. The default, `nil`, leaves it to the session.
  public var cachePolicy: Request.CachePolicy?
  /// Whether cookies are sent and stored. The default, `nil`, leaves it to the session.
  public var shouldHandleCookies: Bool?
  /// Whether requests may be sent before earlier responses have arrived. The default, `nil`, leaves it to the session.
  public var shouldUsePipelining: Bool?
  /// The purpose of the traffic. The default, `nil`, leaves it to the session.
  public var networkServiceType: Request.NetworkServiceType?
  /// The longest wait between two bytes. The default, `nil`, leaves it to the session.
  public var timeoutInterval: Duration?

  /// A serializer with the documented defaults.
  public init() {}

  /// This serializer itself.
  public var http: HTTPRequestSerializer {
    get { self }
    set { self = newValue }
  }

  /// Returns a copy of `request` with the default headers, and with the parameters in its URL or its form body.
  ///
  /// - Parameters:
  ///   - request: The request, which is not changed.
  ///   - parameters: A dictionary or a value that encodes as one, or `nil`.
  /// - Returns: The request to send. With a method that is not in `methodsEncodingParametersInURL`, its body is always
  ///   replaced by the form, which may be empty (REQ-H24).
  /// - Throws: `MartletError` with code `.invalidParameters`, or what a custom style throws.
  public func serialize(_ request: consuming Request, parameters: Parameters?) throws -> Request {
    let query = if let parameters { try queryText(of: request, parameters) ?? "" } else { "" }
    addDefaultHeaders(to: &request)
    guard encodesParametersInURL(request.method) else {
      try setFormBody(query, of: &request)
      return request
    }
    // Setting the URL parses it again.
    if !query.isEmpty { request.url = try request.url.appending(queryText: query) }
    return request
  }

  private func queryText(of request: Request, _ parameters: Parameters) throws -> String? {
    guard let custom = queryStringStyle.custom else {
      return try queryString(from: parameters, encoding: parameterEncoding)
    }
    return try custom.call(request, parameters)
  }

  /// REQ-H24, REQ-H25.
  private func setFormBody(_ text: String, of request: inout Request) throws {
    if !request.headers.contains(.contentType) {
      request.headers.append(.formContentType)
    }
    guard stringEncoding != .utf8 else {
      request.body = .text(text)
      return
    }
    guard let data = CharsetConversion.bytes(of: text, in: stringEncoding) else {
      throw MartletError.queryNotEncodable(in: stringEncoding)
    }
    request.body = .data(data)
  }
}

extension HTTPField {
  fileprivate static let formContentType = HTTPField(
    name: .contentType, value: "application/x-www-form-urlencoded")
}

extension HTTPRequestSerializer {
  /// How parameters become the text of a query or a form body.
  ///
  /// A custom style equals its copies, and no other style.
  public struct QueryStringStyle: Equatable, Sendable {
    /// Makes the text from the unmodified request and the parameters.
    public typealias Builder = @Sendable (Request, Parameters) throws -> String?

    let custom: FunctionReference<Builder>?

    /// `a=1&b%5B%5D=2`; see ``queryString(from:encoding:)``.
    public static let `default` = QueryStringStyle(custom: nil)

    /// Returns a style whose text a closure makes from the unmodified request and the parameters.
    ///
    /// - Parameter make: Returns `nil` for no query. Its errors are thrown unchanged (REQ-H19). It is not called when
    ///   the parameters are `nil`.
    /// - Returns: A style that equals its copies only.
    public static func custom(_ make: @escaping Builder) -> QueryStringStyle {
      QueryStringStyle(custom: FunctionReference(make))
    }
  }
}

extension HTTPRequestSerializer: CustomStringConvertible, CustomReflectable {
  /// The serializer as text, such as `<HTTPRequestSerializer [Authorization: ***]>`; secrets are masked.
  public var description: String { "<HTTPRequestSerializer\(httpRequestHeaders.masked)>" }

  /// An empty mirror, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Encodes everything except a custom query style, which is a closure. A decoded serializer has the default one
/// (REQ-H29).
///
/// The headers are encoded in clear text, including credentials: keep the encoded data in a safe place.
extension HTTPRequestSerializer: Codable {
  private enum Key: CodingKey {
    case headers, parameterEncoding, stringEncoding, methodsEncodingParametersInURL
    case allowsCellularAccess, cachePolicy, shouldHandleCookies, shouldUsePipelining
    case networkServiceType, timeoutInterval
  }

  /// Decodes a serializer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init()
    httpRequestHeaders = try values.decodeFields(forKey: .headers)
    parameterEncoding = try values.decode(ParameterEncoding.self, forKey: .parameterEncoding)
    stringEncoding = String.Encoding(
      rawValue: try values.decode(UInt.self, forKey: .stringEncoding))
    methodsEncodingParametersInURL = try Self.methods(in: values)
    allowsCellularAccess = try values.decodeIfPresent(Bool.self, forKey: .allowsCellularAccess)
    cachePolicy = try values.decodeIfPresent(Request.CachePolicy.self, forKey: .cachePolicy)
    shouldHandleCookies = try values.decodeIfPresent(Bool.self, forKey: .shouldHandleCookies)
    shouldUsePipelining = try values.decodeIfPresent(Bool.self, forKey: .shouldUsePipelining)
    networkServiceType = try values.decodeIfPresent(
      Request.NetworkServiceType.self, forKey: .networkServiceType)
    timeoutInterval = try values.decodeIfPresent(Duration.self, forKey: .timeoutInterval)
  }

  private static func methods(in values: KeyedDecodingContainer<Key>) throws
    -> Set<HTTPRequest.Method>
  {
    let names = try values.decode([String].self, forKey: .methodsEncodingParametersInURL)
    return try Set(
      names.map { name in
        if let method = HTTPRequest.Method(name) { return method }
        throw DecodingError.dataCorruptedError(
          forKey: .methodsEncodingParametersInURL, in: values,
          debugDescription: "“\(name)” is not a method.")
      })
  }

  /// Encodes the serializer.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(httpRequestHeaders, forKey: .headers)
    try values.encode(parameterEncoding, forKey: .parameterEncoding)
    try values.encode(stringEncoding.rawValue, forKey: .stringEncoding)
    try values.encode(
      methodsEncodingParametersInURL.map(\.rawValue).sorted(),
      forKey: .methodsEncodingParametersInURL)
    try values.encodeIfPresent(allowsCellularAccess, forKey: .allowsCellularAccess)
    try values.encodeIfPresent(cachePolicy, forKey: .cachePolicy)
    try values.encodeIfPresent(shouldHandleCookies, forKey: .shouldHandleCookies)
    try values.encodeIfPresent(shouldUsePipelining, forKey: .shouldUsePipelining)
    try values.encodeIfPresent(networkServiceType, forKey: .networkServiceType)
    try values.encodeIfPresent(timeoutInterval, forKey: .timeoutInterval)
  }
}

/// A function that is equal only to its copies, because functions cannot be compared.
final class FunctionReference<Function: Sendable>: Sendable, Equatable {
  let call: Function

  init(_ call: Function) {
    self.call = call
  }

  static func == (left: FunctionReference, right: FunctionReference) -> Bool {
    left === right
  }
}
