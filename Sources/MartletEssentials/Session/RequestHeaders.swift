public import HTTPTypes
import MartletCore

/// The header fields of one request, as a literal with constants and variables.
///
///     try await api.get("birds", headers: ["X-Api-Key": key, .acceptLanguage: "nl", "X-Trace": trace])
///
/// Names and values are checked when the request is made. A value may be `nil`: the field is not sent then, even if the
/// request serializer has it.
public struct RequestHeaders: Sendable, ExpressibleByDictionaryLiteral {
  private enum Field: Sendable {
    case text(Name, String?)
    case whole(HTTPField)
  }

  private var fields: [Field]

  /// Fields from a literal, sent in its order. A name may occur several times.
  public init(dictionaryLiteral elements: (Name, String?)...) {
    fields = elements.map { .text($0, $1) }
  }

  /// Fields that are known already.
  public init(_ fields: HTTPFields) {
    self.fields = fields.map { .whole($0) }
  }

  /// Fields that are known already.
  public init(_ fields: [HTTPField]) {
    self.fields = fields.map { .whole($0) }
  }

  /// Fields from names and values, such as a dictionary.
  @_disfavoredOverload
  public init(_ fields: some Sequence<(key: String, value: String)>) {
    self.fields = fields.map { .text(Name(stringLiteral: $0.key), $0.value) }
  }

  /// Replaces the fields of a request that have the same names (HTM-11).
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` for a name that is not a token, or a value that contains a line
  ///   break or another control character, or begins or ends with a blank.
  func apply(to headers: inout HTTPFields) throws(MartletError) {
    var names: Set<HTTPField.Name> = []
    var added: [HTTPField] = []
    for field in fields {
      switch field {
      case .whole(let field):
        names.insert(field.name)
        added.append(field)
      case .text(let name, let value):
        let isSecret = name.isSecret
        let name = try HTTPField.Name(validating: name.text)
        names.insert(name)
        guard let value else { continue }
        var field = try HTTPField(validating: name.rawName, value: value)
        if isSecret { field.indexingStrategy = .disallow }
        added.append(field)
      }
    }
    headers.removeAll { names.contains($0.name) }
    headers.append(contentsOf: added)
  }

  /// Whether there are no fields.
  var isEmpty: Bool { fields.isEmpty }

  /// Whether a field is set or removed.
  func contains(_ name: HTTPField.Name) -> Bool {
    fields.contains { field in
      switch field {
      case .whole(let field): field.name == name
      case .text(let text, _): HTTPField.Name(text.text) == name
      }
    }
  }
}

extension RequestHeaders: CustomStringConvertible, CustomReflectable {
  /// The fields as text, such as `[Accept: text/plain, X-Api-Key: ***]`; secrets are masked.
  public var description: String {
    let lines = fields.map { field in
      switch field {
      case .whole(let field): field.masked
      case .text(let name, nil): "\(name.text.sanitized): nil"
      case .text(let name, let value?): name.masked(value)
      }
    }
    return "[\(lines.joined(separator: ", "))]"
  }

  /// No children, because they would show secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestHeaders {
  /// The name of a field: any text, or one of the usual names.
  public struct Name: Hashable, Sendable, ExpressibleByStringInterpolation {
    fileprivate let text: String
    fileprivate var isSecret = false

    /// The name of a field whose value is a secret, such as the key of an API.
    ///
    ///     try await api.get("birds", headers: [.secret("X-Api-Key"): key])
    ///
    /// The value is masked in descriptions, and the field is dropped when a redirect leads to another server.
    public static func secret(_ name: String) -> Name {
      var name = Name(stringLiteral: name)
      name.isSecret = true
      return name
    }

    /// Returns a field of this name for descriptions. The value is masked if the name is not valid.
    fileprivate func masked(_ value: String) -> String {
      guard !isSecret, let name = HTTPField.Name(text) else { return "\(text.sanitized): ***" }
      return HTTPField(name: name, value: value).masked
    }

    /// A name from a text, which is checked when the request is made.
    public init(stringLiteral text: String) {
      self.text = text
    }

    /// A name that is known already.
    public init(_ name: HTTPField.Name) {
      text = name.rawName
    }

    /// `Accept` (RFC 9110 §12.5.1).
    public static var accept: Name { Name(.accept) }
    /// `Accept-Encoding` (RFC 9110 §12.5.3).
    public static var acceptEncoding: Name { Name(.acceptEncoding) }
    /// `Accept-Language` (RFC 9110 §12.5.4).
    public static var acceptLanguage: Name { Name(.acceptLanguage) }
    /// `Authorization` (RFC 9110 §11.6.2).
    public static var authorization: Name { Name(.authorization) }
    /// `Cache-Control` (RFC 9111 §5.2).
    public static var cacheControl: Name { Name(.cacheControl) }
    /// `Content-Type` (RFC 9110 §8.3).
    public static var contentType: Name { Name(.contentType) }
    /// `Cookie` (RFC 6265 §5.4).
    public static var cookie: Name { Name(.cookie) }
    /// `If-Match` (RFC 9110 §13.1.1).
    public static var ifMatch: Name { Name(.ifMatch) }
    /// `If-Modified-Since` (RFC 9110 §13.1.3).
    public static var ifModifiedSince: Name { Name(.ifModifiedSince) }
    /// `If-None-Match` (RFC 9110 §13.1.2).
    public static var ifNoneMatch: Name { Name(.ifNoneMatch) }
    /// `Origin` (RFC 6454 §7).
    public static var origin: Name { Name(.origin) }
    /// `Range` (RFC 9110 §14.2).
    public static var range: Name { Name(.range) }
    /// `Referer` (RFC 9110 §10.1.3).
    public static var referer: Name { Name(.referer) }
    /// `User-Agent` (RFC 9110 §10.1.5).
    public static var userAgent: Name { Name(.userAgent) }
  }
}
