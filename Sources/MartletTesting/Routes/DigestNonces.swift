import MartletCore

/// The nonces that a server has handed out, and how often each was used.
final class DigestNonces: Sendable {
  /// What a nonce is worth.
  enum Verdict {
    case fresh
    case stale
    case unknown
  }

  /// Beyond so many, the oldest are forgotten.
  private static let limit = 4096

  private struct Book: Sendable {
    var uses: [String: Set<String>] = [:]
    var order: [String] = []
  }

  private let book = Locked(Book())

  /// A new nonce.
  func issue() -> String {
    let nonce = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
    book.withLock { book in
      book.uses[nonce] = []
      book.order.append(nonce)
      if book.order.count > Self.limit { book.uses[book.order.removeFirst()] = nil }
    }
    return nonce
  }

  /// Notes a use: no count may come twice, and none after `limit` uses (RFC 7616 §3.4).
  func use(_ nonce: String, count: String, limit: Int) -> Verdict {
    book.withLock { book in
      guard let uses = book.uses[nonce] else { return .unknown }
      guard uses.count < limit, !uses.contains(count) else { return .stale }
      book.uses[nonce]?.insert(count)
      return .fresh
    }
  }
}
