import Crypto
import EssentialFoundation
package import NIOCore

/// Answers the challenges of one protection space with one credential.
///
/// It keeps the last challenge, so that later requests carry an answer from the start. Many requests may use it
/// concurrently.
package final class PasswordAuthenticator: Sendable {
  /// The result of a challenge for the request that was refused.
  package enum Verdict: Hashable, Sendable {
    /// The request can be sent again with a new answer.
    case retry
    /// The request contained an answer, and the answer is wrong.
    case refused
    /// The request contained an answer for another realm.
    case otherRealm
    /// No offered scheme is supported, or the credential fits none of them.
    case unsupported
  }

  /// The most answers for one request. A server that calls every nonce stale would cause an endless loop.
  package static let answerLimit = 4

  private enum Scheme {
    /// Basic and Bearer: the field is the same for every request.
    case fixed(field: String)
    case digest(Digest)
  }

  private struct Digest {
    var challenge: DigestChallenge
    /// The number of answers made with its nonce.
    var count: UInt32 = 0
    var clientNonce = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
    /// Both nonces of the first answer, which a session variant hashes with the password (RFC 7616 §3.4.2).
    var session: DigestAnswer.Session

    init(_ challenge: DigestChallenge) {
      self.challenge = challenge
      session = DigestAnswer.Session(nonce: challenge.nonce, clientNonce: clientNonce)
    }
  }

  package let credential: Credential
  private let scheme = Locked<Scheme?>(nil)

  package init(_ credential: Credential) {
    self.credential = credential
  }

  /// The URIs that a Digest answer is valid for; empty for the whole server. `nil` for another scheme, and before the
  /// first challenge.
  package var domain: [String]? {
    guard case .digest(let digest) = scheme.current else { return nil }
    return digest.challenge.domain
  }

  /// Returns the field value that answers the last challenge.
  ///
  /// - Parameters:
  ///   - method: The request's method.
  ///   - target: Its request target.
  ///   - body: Its body, which the answer covers if the server requires that.
  /// - Returns: The value; for Digest it is valid for this request only. `nil` before the first challenge, unless
  ///   `authenticatePreemptively()` was called.
  package func authorization(method: String, target: String, body: ByteBuffer?) -> String? {
    switch answer(method: method, target: target) {
    case nil: return nil
    case .fixed(let field): return field
    case .digest(var answer):
      if answer.challenge.quality == .authInt, let body {
        var hasher = answer.challenge.algorithm.makeHasher()
        body.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        answer.bodyHash = hasher.hexadecimal()
      }
      return answer.field
    }
  }

  /// Returns the answer that `authorization(method:target:body:)` uses, still without the body's hash.
  package func answer(method: String, target: String) -> PasswordAnswer? {
    scheme.withLock { scheme in
      switch scheme {
      case nil: return nil
      case .fixed(let field): return .fixed(field)
      case .digest(var digest):
        guard case .password(let user, let password, _) = credential else { return nil }
        digest.count &+= 1
        scheme = .digest(digest)
        return .digest(
          DigestAnswer(
            digest.challenge, user: user, password: password, method: method, target: target,
            count: digest.count, clientNonce: digest.clientNonce, session: digest.session))
      }
    }
  }

  /// Returns the challenge to answer: the strongest supported Digest, else Basic, else the first (RFC 9110 §11.6.1).
  package static func strongest(of fields: [String]) -> AuthenticationChallenge? {
    let challenges = AuthenticationChallenge.all(in: fields)
    let digests = challenges.compactMap { challenge in
      DigestChallenge(challenge).map { (challenge, $0.algorithm) }
    }
    return digests.max { $0.1 < $1.1 }?.0 ?? challenges.first { $0.scheme == "basic" }
      ?? challenges.first
  }

  /// Stores the challenge of a response that refuses a request.
  ///
  /// - Parameters:
  ///   - fields: The values of `WWW-Authenticate` or `Proxy-Authenticate`.
  ///   - answered: The field value that the request contained, if any.
  ///   - wasChallenged: Whether the request was sent in response to a challenge. If it carried an answer from the
  ///     start, the server may have discarded the nonce of that answer since. The default is true.
  /// - Returns: Whether to send the request again, or why not.
  package func receiveChallenges(
    _ fields: [String], to answered: String?, wasChallenged: Bool = true
  ) -> Verdict {
    if credential.schemes?.contains(.digest) == true,
      let digest = Self.strongest(of: fields).flatMap(DigestChallenge.init)
    {
      return receiveChallenges(digest, to: answered, wasChallenged: wasChallenged)
    }
    let challenges = AuthenticationChallenge.all(in: fields)
    guard let field = credential.field, challenges.contains(where: { $0.scheme == field.scheme })
    else { return .unsupported }
    scheme.withLock { $0 = .fixed(field: field.value) }
    return answered == field.value ? .refused : .retry
  }

  /// Answers requests before the first challenge, if the credential allows Bearer or Basic.
  package func authenticatePreemptively() {
    guard let field = credential.field else { return }
    scheme.withLock { $0 = .fixed(field: field.value) }
  }

  private func receiveChallenges(
    _ challenge: DigestChallenge, to answered: String?, wasChallenged: Bool
  ) -> Verdict {
    let answer = AuthenticationChallenge.all(in: [answered].compactMap(\.self)).first
    return scheme.withLock { scheme in
      guard case .digest(let known) = scheme, let answer, answer.scheme == "digest" else {
        scheme = .digest(Digest(challenge))
        return .retry
      }
      guard answer.realm == challenge.realm else { return .otherRealm }
      // If the nonce is the same as before, its count continues.
      if known.challenge.nonce != challenge.nonce || known.challenge.realm != challenge.realm {
        scheme = .digest(Digest(challenge))
      }
      let isWrong = wasChallenged && !challenge.isStale && Self.isFirst(answer, known)
      return isWrong ? .refused : .retry
    }
  }

  /// Whether this is the first answer with its nonce. Then the server cannot have discarded the nonce yet.
  private static func isFirst(_ answer: AuthenticationChallenge, _ known: Digest) -> Bool {
    if let count = answer.parameters["nc"] { return UInt32(count, radix: 16) == 1 }
    return known.count <= 1 && known.challenge.nonce == answer.parameters["nonce"]
  }

  /// Stores the next nonce from the response to an accepted answer (RFC 7616 §3.5).
  ///
  /// - Parameter field: The value of `Authentication-Info`.
  package func receiveAuthenticationInfo(_ field: String) {
    var reader = ChallengeReader(field)
    guard let nonce = reader.parameters()["nextnonce"] else { return }
    scheme.withLock { scheme in
      guard case .digest(var digest) = scheme, digest.challenge.nonce != nonce else { return }
      digest.challenge = digest.challenge.withNonce(nonce)
      digest.count = 0
      scheme = .digest(digest)
    }
  }
}

extension PasswordAuthenticator: CustomReflectable {
  /// An empty mirror, because all parts are secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// One answer to a challenge.
package enum PasswordAnswer: Sendable {
  /// A field value that is the same for every request.
  case fixed(String)
  /// An answer that is valid for one request.
  case digest(DigestAnswer)
}
