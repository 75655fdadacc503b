/// One way in that a server or proxy offers: a scheme and its parameters (RFC 9110 §11.3).
public struct AuthenticationChallenge: Hashable, Sendable {
  /// The scheme, in lower case: `basic`, `digest`, `bearer` …
  public var scheme: String
  /// The one value that some schemes have in place of parameters.
  public var token: String?
  /// The parameters by their names in lower case; of two of a name the first counts.
  public var parameters: [String: String]

  /// A challenge from its parts.
  public init(scheme: String, token: String? = nil, parameters: [String: String] = [:]) {
    self.scheme = scheme.lowercased()
    self.token = token
    self.parameters = parameters
  }

  /// What the credentials are asked for, in the server's words.
  public var realm: String? { parameters["realm"] }

  /// The challenges in the values of `WWW-Authenticate` or `Proxy-Authenticate` fields, in order
  /// (RFC 9110 §11.6.1).
  ///
  /// - Parameter fields: The values. What makes no sense is passed over; of one value at most 64 challenges are
  ///   read.
  /// - Returns: The challenges, supported or not.
  public static func all(in fields: some Sequence<String>) -> [AuthenticationChallenge] {
    fields.flatMap { field in
      var reader = ChallengeReader(field)
      return reader.challenges()
    }
  }
}
