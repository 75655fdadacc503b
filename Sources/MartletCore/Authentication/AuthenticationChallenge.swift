/// A challenge of a server or proxy: an authentication scheme and its parameters (RFC 9110 §11.3).
public struct AuthenticationChallenge: Hashable, Sendable {
  /// The scheme, in lower case: `basic`, `digest`, `bearer` …
  public var scheme: String
  /// The single value that some schemes use instead of parameters (RFC 9110 §11.2).
  public var token68: String?
  /// The parameters, keyed by name in lower case. If a name occurs twice, the first value is used.
  public var parameters: [String: String]

  /// A challenge from its parts.
  public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
    self.scheme = scheme.lowercased()
    self.token68 = token68
    self.parameters = parameters
  }

  /// The server's name for the protection space (RFC 9110 §11.5).
  public var realm: String? { parameters["realm"] }

  /// The challenges in the values of `WWW-Authenticate` or `Proxy-Authenticate` fields, in order
  /// (RFC 9110 §11.6.1).
  ///
  /// - Parameter fields: The values. Malformed parts are skipped. At most 64 challenges are read from one value.
  /// - Returns: The challenges, supported or not.
  public static func all(in fields: some Sequence<String>) -> [AuthenticationChallenge] {
    fields.flatMap { field in
      var reader = ChallengeReader(field)
      return reader.challenges()
    }
  }
}

/// Reads a list of challenges, in which a comma separates two parameters or two challenges.
struct ChallengeReader {
  private static let limit = 64

  private var lexer: FieldLexer
  private var found: [AuthenticationChallenge] = []

  init(_ field: String) {
    lexer = FieldLexer(field)
  }

  mutating func challenges() -> [AuthenticationChallenge] {
    while skipSeparators(), found.count <= Self.limit {
      let name = lexer.token()
      if name.isEmpty {
        // No name can begin with this character.
        _ = lexer.take(to: ",")
      } else if lexer.skip("=") {
        add(name, lexer.quotedString() ?? lexer.take { !$0.isBlank && $0 != .comma })
      } else {
        found.append(AuthenticationChallenge(scheme: name, token68: token()))
      }
    }
    return Array(found.prefix(Self.limit))
  }

  /// The parameters of a field that consists of parameters only (RFC 9110 §11.6.3).
  mutating func parameters() -> [String: String] {
    found = [AuthenticationChallenge(scheme: "")]
    return challenges().first?.parameters ?? [:]
  }

  private mutating func add(_ name: String, _ value: String) {
    guard let last = found.indices.last else { return }
    let name = name.lowercased()
    if found[last].parameters[name] == nil { found[last].parameters[name] = value }
  }

  /// The `token68` value after a scheme; `nil` if there is none. Parameters stay unread.
  private mutating func token() -> String? {
    let start = lexer
    lexer.skip(while: \.isBlank)
    let token = lexer.take(while: \.isToken68) + lexer.take { $0 == UInt8(ascii: "=") }
    lexer.skip(while: \.isBlank)
    if !token.isEmpty, lexer.isAtEnd || lexer.rest.first == .comma { return token }
    lexer = start
    return nil
  }

  /// Skips blanks and commas and returns whether anything follows.
  private mutating func skipSeparators() -> Bool {
    lexer.skip { $0.isBlank || $0 == .comma }
    return !lexer.isAtEnd
  }
}

extension UInt8 {
  fileprivate static let comma = UInt8(ascii: ",")

  /// Whether this is a character of a `token68`, except the equals signs at its end (RFC 9110 §11.2).
  fileprivate var isToken68: Bool { isLetter || isDigit || "-._~+/".utf8.contains(self) }
}
