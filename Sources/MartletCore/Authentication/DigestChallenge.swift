/// What a server wants to see answered by Digest (RFC 7616 §3.3).
package struct DigestChallenge: Hashable, Sendable {
  /// What the answer protects.
  package enum Quality: String, Sendable {
    /// The method and the target.
    case request = "auth"
    /// The body, too.
    case body = "auth-int"
  }

  package let realm: String
  package let nonce: String
  package let opaque: String?
  /// The URIs that the answer holds for, as they came; none means the whole server.
  package let domain: [String]
  package let algorithm: DigestAlgorithm
  /// Whether the first answer's hash of the password serves for all of them.
  package let isSession: Bool
  /// `nil` where the server knows nothing of it (RFC 2069).
  package let quality: Quality?
  /// Whether the last answer was right, but for its old nonce.
  package let isStale: Bool
  /// Whether the user's name is not to be seen.
  package let hashesUser: Bool
  /// Whether the server reads UTF-8.
  package let isUTF8: Bool

  /// - Returns: `nil` for another scheme, and for an algorithm or a quality of protection that is not known.
  package init?(_ challenge: AuthenticationChallenge) {
    let given = challenge.parameters
    guard challenge.scheme == "digest", let realm = given["realm"], let nonce = given["nonce"],
      let (algorithm, isSession) = Self.algorithm(given["algorithm"] ?? "MD5")
    else { return nil }
    if let offered = given["qop"] {
      guard let quality = Self.quality(offered) else { return nil }
      self.quality = quality
    } else {
      quality = nil
    }
    self.realm = realm
    self.nonce = nonce
    opaque = given["opaque"]
    domain = (given["domain"] ?? "").split(separator: " ").map(String.init)
    self.algorithm = algorithm
    self.isSession = isSession
    isStale = given["stale"]?.lowercased() == "true"
    hashesUser = given["userhash"]?.lowercased() == "true"
    isUTF8 = given["charset"]?.lowercased() == "utf-8"
  }

  private init(_ other: DigestChallenge, nonce: String) {
    realm = other.realm
    self.nonce = nonce
    opaque = other.opaque
    domain = other.domain
    algorithm = other.algorithm
    isSession = other.isSession
    quality = other.quality
    isStale = false
    hashesUser = other.hashesUser
    isUTF8 = other.isUTF8
  }

  /// The same with the nonce that the server wants to see next (RFC 7616 §3.5).
  package func followed(by nonce: String) -> DigestChallenge { DigestChallenge(self, nonce: nonce) }

  private static func algorithm(_ name: String) -> (DigestAlgorithm, isSession: Bool)? {
    var name = name.uppercased()
    let isSession = name.hasSuffix("-SESS")
    if isSession { name.removeLast(5) }
    return DigestAlgorithm(rawValue: name).map { ($0, isSession) }
  }

  /// The one that needs not read the body, if the server leaves the choice.
  private static func quality(_ offered: String) -> Quality? {
    let names = offered.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
    return [.request, .body].first { names.contains($0.rawValue) }
  }
}
