import EssentialFoundation

/// One answer to a Digest challenge: a pure function of all that goes into it (RFC 7616 §3.4).
package struct DigestAnswer: Sendable {
  package var challenge: DigestChallenge
  package var user: String
  package var password: String
  package var method: String
  /// What stands in the request line.
  package var target: String
  /// The hash of the request's body, for the quality of protection that needs it.
  package var bodyHash: String?
  /// How many answers were made for this nonce, this one included.
  package var count: UInt32
  /// What the client adds of its own, the same for all answers to one nonce.
  package var clientNonce: String
  /// The nonces with which a session's password is hashed.
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

  /// The hash that shows who knows the password (§3.4.1).
  package var response: String {
    let hash = challenge.algorithm.hash
    guard let quality = challenge.quality else {
      return hash("\(secret):\(challenge.nonce):\(hash(message))")
    }
    return hash(
      "\(secret):\(challenge.nonce):\(countText):\(clientNonce):\(quality.rawValue):\(hash(message))"
    )
  }

  /// §3.4.2.
  private var secret: String {
    let hash = challenge.algorithm.hash
    let secret = hash("\(user):\(challenge.realm):\(password)")
    return challenge.isSession ? hash("\(secret):\(session.nonce):\(session.clientNonce)") : secret
  }

  /// §3.4.3.
  private var message: String {
    guard challenge.quality == .body else { return "\(method):\(target)" }
    return "\(method):\(target):\(bodyHash ?? challenge.algorithm.hash(""))"
  }

  private var countText: String {
    let digits = String(count, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private var algorithmName: String {
    challenge.algorithm.rawValue + (challenge.isSession ? "-sess" : "")
  }

  /// §3.4.4; a name with letters that are not ASCII goes as RFC 5987 has it, where the server reads UTF-8 (§4).
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
