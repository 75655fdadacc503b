/// A Digest challenge of a server (RFC 7616 §3.3).
package struct DigestChallenge: Hashable, Sendable {
  /// The quality of protection: the parts of the request that the answer covers.
  package enum Quality: String, Sendable {
    /// The method and the target.
    case auth = "auth"
    /// The method, the target and the body.
    case authInt = "auth-int"
  }

  package let realm: String
  package let nonce: String
  package let opaque: String?
  /// The URIs that the answer is valid for, as received. An empty list means the whole server.
  package let domain: [String]
  package let algorithm: DigestAlgorithm
  /// Whether the hash of the password in the first answer is reused in all later answers.
  package let isSession: Bool
  /// The quality of protection; `nil` for a server that follows RFC 2069 and does not offer any.
  package let quality: Quality?
  /// Whether the last answer was rejected only because its nonce is out of date.
  package let isStale: Bool
  /// Whether the user name is sent as a hash.
  package let hashesUser: Bool
  /// Whether the server supports UTF-8.
  package let isUTF8: Bool

  /// Returns `nil` for another scheme, without realm or nonce, and for an unknown algorithm or quality of protection.
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

  /// Returns the challenge with the nonce that the server expects next (RFC 7616 §3.5).
  package func withNonce(_ nonce: String) -> DigestChallenge { DigestChallenge(self, nonce: nonce) }

  private static func algorithm(_ name: String) -> (DigestAlgorithm, isSession: Bool)? {
    var name = name.uppercased()
    let isSession = name.hasSuffix("-SESS")
    if isSession { name.removeLast(5) }
    return DigestAlgorithm(rawValue: name).map { ($0, isSession) }
  }

  /// Chooses `auth` if the server offers it, because an answer with `auth` does not need the body.
  private static func quality(_ offered: String) -> Quality? {
    let names = offered.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
    return [.auth, .authInt].first { names.contains($0.rawValue) }
  }
}
