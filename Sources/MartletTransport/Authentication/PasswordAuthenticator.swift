import Crypto
import MartletCore
package import NIOCore

/// Answers the challenges of one protection space with one credential.
///
/// It remembers what was asked last, so that later requests carry their answer from the start. Safe to be used by
/// many requests at once.
package final class PasswordAuthenticator: Sendable {
  /// What a challenge means for a request that was refused.
  package enum Verdict: Hashable, Sendable {
    /// It can be sent again, with a new answer.
    case again
    /// It was answered, and the answer is wrong.
    case refused
    /// No scheme on offer is known, or this credential does not fit any.
    case notUnderstood
  }

  /// How often one request may be answered: a server whose every nonce is stale would never come to an end.
  package static let answerLimit = 4

  private enum Scheme {
    /// The same for every request: Basic and Bearer.
    case fixed(field: String)
    case digest(DigestChallenge, count: UInt32, clientNonce: String)
  }

  package let credential: Credential
  private let scheme = Locked<Scheme?>(nil)

  package init(_ credential: Credential) {
    self.credential = credential
  }

  /// The URIs that a Digest answer holds for, none meaning the whole server; `nil` for other schemes.
  package var domain: [String]? {
    guard case .digest(let challenge, _, _) = scheme.current else { return nil }
    return challenge.domain
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

  /// The answer to what was asked last, for whoever hashes the body, should it need that; `nil` before anything was
  /// asked.
  package func answer(method: String, target: String) -> PasswordAnswer? {
    scheme.withLock { scheme in
      switch scheme {
      case nil: return nil
      case .fixed(let field): return .fixed(field)
      case .digest(let challenge, let count, let clientNonce):
        guard case .password(let user, let password) = credential else { return nil }
        scheme = .digest(challenge, count: count &+ 1, clientNonce: clientNonce)
        return .digest(
          DigestAnswer(
            challenge, user: user, password: password, method: method, target: target,
            count: count &+ 1, clientNonce: clientNonce))
      }
    }
  }

  /// Takes note of the challenges in a refusal.
  ///
  /// - Parameters:
  ///   - fields: The values of `WWW-Authenticate` or `Proxy-Authenticate`.
  ///   - answered: What the request had said, if anything.
  /// - Returns: Whether it is worth another try. The strongest scheme counts (RFC 9110 §11.6.1).
  package func hear(_ fields: [String], to answered: String?) -> Verdict {
    let challenges = AuthenticationChallenge.all(in: fields)
    let strongest = challenges.compactMap(DigestChallenge.init).max { $0.algorithm < $1.algorithm }
    if let strongest, case .password = credential { return hear(strongest, to: answered) }
    guard let field = credential.field, challenges.contains(where: { $0.scheme == field.scheme })
    else { return .notUnderstood }
    scheme.withLock { $0 = .fixed(field: field.value) }
    return answered == field.value ? .refused : .again
  }

  /// Answers from the start, without having been asked: Basic for a password.
  package func answerUnasked() {
    guard let field = credential.field else { return }
    scheme.withLock { $0 = .fixed(field: field.value) }
  }

  private func hear(_ challenge: DigestChallenge, to answered: String?) -> Verdict {
    scheme.withLock { scheme in
      let isWrong = !challenge.isStale && Self.isFirstAnswer(answered, scheme)
      scheme = .digest(challenge, count: 0, clientNonce: Self.makeClientNonce())
      return isWrong ? .refused : .again
    }
  }

  /// Whether a nonce was answered for the first time, so that it cannot be an old one that the server has forgotten.
  private static func isFirstAnswer(_ field: String?, _ scheme: Scheme?) -> Bool {
    guard let answer = AuthenticationChallenge.all(in: [field].compactMap(\.self)).first,
      answer.scheme == "digest"
    else { return false }
    if let count = answer.parameters["nc"] { return UInt32(count, radix: 16) == 1 }
    guard case .digest(let challenge, let count, _) = scheme else { return false }
    return count <= 1 && challenge.nonce == answer.parameters["nonce"]
  }

  /// Takes note of what an accepted answer was answered with (RFC 7616 §3.5).
  ///
  /// - Parameter field: The value of `Authentication-Info`.
  package func hear(information field: String) {
    var reader = ChallengeReader(field)
    guard let nonce = reader.parameters()["nextnonce"] else { return }
    scheme.withLock { scheme in
      guard case .digest(let challenge, _, _) = scheme, challenge.nonce != nonce else { return }
      scheme = .digest(
        challenge.followed(by: nonce), count: 0, clientNonce: Self.makeClientNonce())
    }
  }

  private static func makeClientNonce() -> String {
    (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
  }
}

/// One answer to a challenge.
package enum PasswordAnswer: Sendable {
  /// The same for every request.
  case fixed(String)
  /// One that is made for its request.
  case digest(DigestAnswer)
}
