import Crypto
import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// The hash functions of Digest authentication: MD5 and SHA-256 (RFC 7616 §6.1), and SHA-512, which httpbin uses.
/// SHA-512-256 is not supported.
package enum DigestAlgorithm: String {
  case md5 = "MD5"
  case sha256 = "SHA-256"
  case sha512 = "SHA-512"

  package func hash(_ text: String) -> String { hash(Data(text.utf8)) }

  func hash(_ data: Data) -> String {
    switch self {
    case .md5: Insecure.MD5.hash(data: data).hexadecimal
    case .sha256: SHA256.hash(data: data).hexadecimal
    case .sha512: SHA512.hash(data: data).hexadecimal
    }
  }
}

/// The parameters of a client's `Authorization: Digest …` field.
package struct DigestAnswer {
  private let fields: [String: String]

  package init?(_ field: String?) {
    guard let field, field.lowercased().hasPrefix("digest ") else { return nil }
    var rest = AuthParameters(field.dropFirst(7))
    var fields: [String: String] = [:]
    while let (name, value) = rest.next() { fields[name] = value }
    self.fields = fields
  }

  subscript(name: String) -> String { fields[name] ?? "" }

  /// Whether the client's `response` is correct for the user, the password and the request.
  package func isValid(
    user: String, password: String, realm: String, algorithm: DigestAlgorithm,
    request: ServerRequest
  ) -> Bool {
    guard self["username"] == user, self["realm"] == realm, self["uri"] == request.target else {
      return false
    }
    let secret = algorithm.hash("\(user):\(realm):\(password)")
    var message = "\(request.method.rawValue):\(self["uri"])"
    if self["qop"] == "auth-int" {
      message += ":" + algorithm.hash(Data(request.body.readableBytesView))
    }
    let middle =
      fields["qop"].map { "\(self["nonce"]):\(self["nc"]):\(self["cnonce"]):\($0)" }
      ?? self["nonce"]
    let expected = algorithm.hash("\(secret):\(middle):\(algorithm.hash(message))")
    return self["response"].lowercased() == expected
  }
}

/// Reads `name=value, name="quoted, value"`.
private struct AuthParameters: IteratorProtocol {
  private var rest: Substring

  init(_ text: Substring) { rest = text }

  mutating func next() -> (name: String, value: String)? {
    rest = rest.drop { $0 == " " || $0 == "," || $0 == "\t" }
    guard let sign = rest.firstIndex(of: "=") else { return nil }
    let name = rest[..<sign].withoutOuterSpace.lowercased()
    rest = rest[rest.index(after: sign)...].drop { $0 == " " }
    return (name, rest.first == "\"" ? quoted() : token())
  }

  private mutating func token() -> String {
    let token = rest.prefix { $0 != "," && $0 != " " }
    rest = rest.dropFirst(token.count)
    return String(token)
  }

  private mutating func quoted() -> String {
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() {
        text.append(escaped)
      } else {
        text.append(character)
      }
    }
    return text
  }
}

/// The nonces that a server has issued, and the nonce counts used with each.
final class DigestNonces: Sendable {
  /// The result of checking a nonce.
  enum NonceStatus {
    case fresh
    case stale
    case unknown
  }

  /// The maximum number of nonces; the oldest are removed first.
  private static let limit = 4096

  private struct State: Sendable {
    var uses: [String: Set<String>] = [:]
    var order: [String] = []
  }

  private let state = Locked(State())

  /// A new nonce.
  func issue() -> String {
    let nonce = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
    state.withLock { state in
      state.uses[nonce] = []
      state.order.append(nonce)
      if state.order.count > Self.limit { state.uses[state.order.removeFirst()] = nil }
    }
    return nonce
  }

  /// Records a use. The nonce is stale if the count was used before, or after `limit` uses (RFC 7616 §3.4).
  func use(_ nonce: String, count: String, limit: Int) -> NonceStatus {
    state.withLock { state in
      guard let uses = state.uses[nonce] else { return .unknown }
      guard uses.count < limit, !uses.contains(count) else { return .stale }
      state.uses[nonce]?.insert(count)
      return .fresh
    }
  }
}
