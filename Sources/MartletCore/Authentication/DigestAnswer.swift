import EssentialFoundation

/// An answer to a Digest challenge, computed from these properties alone (RFC 7616 §3.4).
package struct DigestAnswer: Sendable {
  package var challenge: DigestChallenge
  package var user: String
  package var password: String
  package var method: String
  /// The request target, as the request line contains it.
  package var target: String
  /// The hash of the request's body, for the quality of protection `auth-int`.
  package var bodyHash: String?
  /// The number of answers with this nonce, including this one.
  package var count: UInt32
  /// The client's own nonce, the same for all answers with one nonce of the server.
  package var clientNonce: String
  /// The nonces that are hashed with the password if the algorithm is a session variant.
  package var session: Session

  /// Both nonces of the first answer to a challenge (§3.4.2).
  package struct Session: Sendable {
    var nonce: String
    var clientNonce: String
  }

  package init(
    _ challenge: DigestChallenge, user: String, password: String, method: String, target: String,
    bodyHash: String? = nil, count: UInt32, clientNonce: String, session: Session? = nil
  ) {
    self.challenge = challenge
    self.user = user
    self.password = password
    self.method = method
    self.target = target
    self.bodyHash = bodyHash
    self.count = count
    self.clientNonce = clientNonce
    self.session = session ?? Session(nonce: challenge.nonce, clientNonce: clientNonce)
  }

  /// The value of the `Authorization` or `Proxy-Authorization` field.
  package var field: String {
    var parts = [
      userPart, "realm=\(quoted(challenge.realm))", "nonce=\(quoted(challenge.nonce))",
      "uri=\(quoted(target))", "response=\"\(response)\"", "algorithm=\(algorithmName)",
    ]
    if let opaque = challenge.opaque { parts.append("opaque=\(quoted(opaque))") }
    if let quality = challenge.quality {
      parts.append("qop=\(quality.rawValue), nc=\(countText), cnonce=\(quoted(clientNonce))")
    } else if challenge.isSession {
      parts.append("cnonce=\(quoted(clientNonce))")
    }
    if challenge.hashesUser { parts.append("userhash=true") }
    return "Digest " + parts.joined(separator: ", ")
  }

  /// The hash that proves knowledge of the password (§3.4.1).
  package var response: String {
    let hash = challenge.algorithm.hash
    guard let quality = challenge.quality else {
      return hash("\(secret):\(challenge.nonce):\(hash(message))")
    }
    return hash(
      "\(secret):\(challenge.nonce):\(countText):\(clientNonce):\(quality.rawValue):\(hash(message))"
    )
  }

  /// The hash of `A1` (§3.4.2).
  private var secret: String {
    let hash = challenge.algorithm.hash
    let secret = hash("\(user):\(challenge.realm):\(password)")
    return challenge.isSession ? hash("\(secret):\(session.nonce):\(session.clientNonce)") : secret
  }

  /// `A2` (§3.4.3).
  private var message: String {
    guard challenge.quality == .authInt else { return "\(method):\(target)" }
    return "\(method):\(target):\(bodyHash ?? challenge.algorithm.hash(""))"
  }

  private var countText: String {
    let digits = String(count, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private var algorithmName: String {
    challenge.algorithm.rawValue + (challenge.isSession ? "-sess" : "")
  }

  /// The `username` parameter (§3.4.4).
  ///
  /// A name that is not ASCII is encoded as in RFC 5987 if the server supports UTF-8 (§4).
  private var userPart: String {
    if challenge.hashesUser {
      return "username=\"\(challenge.algorithm.hash("\(user):\(challenge.realm)"))\""
    }
    guard challenge.isUTF8, !user.utf8.allSatisfy({ $0 < 0x80 }) else {
      return "username=\(quoted(user))"
    }
    return "username*=UTF-8''\(user.percentEncoded(where: \.isExtendedValueCharacter))"
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}

extension UInt8 {
  /// `attr-char` of RFC 5987 §3.2.1.
  fileprivate var isExtendedValueCharacter: Bool {
    isLetter || isDigit || "!#$&+-.^_`|~".utf8.contains(self)
  }
}
