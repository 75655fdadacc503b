import Crypto
import EssentialFoundation
package import NIOCore

/// Answers the challenges of one protection space with one credential.
///
/// It remembers what was asked last, so that later requests carry their answer from the start. Safe to be used by
/// many requests at once.
package final class PasswordAuthenticator: Sendable {
  /// What a challenge means for a request that was refused.
  package enum Verdict: Hashable, Sendable {
    /// It can be sent again, with a new answer.
    case retry
    /// It was answered, and the answer is wrong.
    case refused
    /// It was answered for another realm.
    case otherRealm
    /// No scheme on offer is known, or this credential does not fit any.
    case unsupported
  }

  /// How often one request may be answered: a server whose every nonce is stale would never come to an end.
  package static let answerLimit = 4

  private enum Scheme {
    /// The same for every request: Basic and Bearer.
    case fixed(field: String)
    case digest(Digest)
  }

  private struct Digest {
    var challenge: DigestChallenge
    /// How many answers were made for its nonce.
    var count: UInt32 = 0
    var clientNonce = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
    /// Both nonces of the first answer, with which a session's password is hashed (RFC 7616 §3.4.2).
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

  /// The URIs that a Digest answer holds for, none meaning the whole server; `nil` for other schemes.
  package var domain: [String]? {
    guard case .digest(let digest) = scheme.current else { return nil }
    return digest.challenge.domain
  }

  /// The value of the field that answers what was asked last; `nil` before anything was.
  ///
  /// - Parameters:
  ///   - method: The request's method.
  ///   - target: What stands in its request line.
  ///   - body: Its body, which some servers want to see protected.
  /// - Returns: The value, made for this request alone.
  package func authorization(method: String, target: String, body: ByteBuffer?) -> String? {
    switch answer(method: method, target: target) {
    case nil: return nil
    case .fixed(let field): return field
    case .digest(var answer):
      if answer.challenge.quality == .body, let body {
        var hasher = answer.challenge.algorithm.makeHasher()
        body.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        answer.bodyHash = hasher.hexadecimal()
      }
      return answer.field
    }
  }

  /// The answer to the last challenge, with the hash of the body if it needs that; `nil` before any challenge.
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

  /// The challenge among several that is answered: the strongest (RFC 9110 §11.6.1), or else the first.
  package static func strongest(of fields: [String]) -> AuthenticationChallenge? {
    let challenges = AuthenticationChallenge.all(in: fields)
    let digests = challenges.compactMap { challenge in
      DigestChallenge(challenge).map { (challenge, $0.algorithm) }
    }
    return digests.max { $0.1 < $1.1 }?.0 ?? challenges.first { $0.scheme == "basic" }
      ?? challenges.first
  }

  /// Takes note of the challenges in a refusal.
  ///
  /// - Parameters:
  ///   - fields: The values of `WWW-Authenticate` or `Proxy-Authenticate`.
  ///   - answered: What the request had said, if anything.
  ///   - wasChallenged: Whether the request was an answer to a challenge, and not sent with an answer from the start,
  ///     which may have been to a nonce that the server has forgotten. The default is true.
  /// - Returns: Whether it is worth another try.
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

  /// Answers from the start, without having been asked: Basic for a password.
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
      // A nonce that comes again goes on being counted.
      if known.challenge.nonce != challenge.nonce || known.challenge.realm != challenge.realm {
        scheme = .digest(Digest(challenge))
      }
      let isWrong = wasChallenged && !challenge.isStale && Self.isFirst(answer, known)
      return isWrong ? .refused : .retry
    }
  }

  /// Whether a nonce was answered for the first time, so that it cannot be an old one that the server has forgotten.
  private static func isFirst(_ answer: AuthenticationChallenge, _ known: Digest) -> Bool {
    if let count = answer.parameters["nc"] { return UInt32(count, radix: 16) == 1 }
    return known.count <= 1 && known.challenge.nonce == answer.parameters["nonce"]
  }

  /// Takes note of what an accepted answer was answered with (RFC 7616 §3.5).
  ///
  /// - Parameter field: The value of `Authentication-Info`.
  package func receiveAuthenticationInfo(_ field: String) {
    var reader = ChallengeReader(field)
    guard let nonce = reader.parameters()["nextnonce"] else { return }
    scheme.withLock { scheme in
      guard case .digest(var digest) = scheme, digest.challenge.nonce != nonce else { return }
      digest.challenge = digest.challenge.followed(by: nonce)
      digest.count = 0
      scheme = .digest(digest)
    }
  }
}

extension PasswordAuthenticator: CustomReflectable {
  /// No parts: they are secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// One answer to a challenge.
package enum PasswordAnswer: Sendable {
  /// The same for every request.
  case fixed(String)
  /// One that is made for its request.
  case digest(DigestAnswer)
}
