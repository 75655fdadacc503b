import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport
import Synchronization

/// Stores the authenticators that servers have accepted, so that later requests carry the answer from the start.
final class AuthenticatorCache: Sendable {
  /// The maximum number of entries. When it is reached, all are removed, and servers send their challenges again.
  private static let limit = 1000

  /// A part of a server, and the authenticator that it has accepted.
  private struct Entry {
    var path: String
    var authenticator: PasswordAuthenticator
    /// The generation of the credential store. If the store has changed, the entry is not used.
    var generation: Int
  }

  private let entries = Locked<[Origin: [Entry]]>([:])
  private let hasEntries = Atomic<Bool>(false)

  /// Whether no entry has been stored yet; this takes no lock.
  var isEmpty: Bool { !hasEntries.load(ordering: .relaxed) }

  /// Returns the authenticator for a target. The target must begin with the path of an entry; the longest path counts.
  func authenticator(
    for origin: Origin, target: String, generation: Int
  ) -> PasswordAuthenticator? {
    guard !isEmpty else { return nil }
    let around = entries.withLock { $0[origin] }?.filter {
      $0.generation == generation && target.hasPrefix($0.path)
    }
    return around?.max { $0.path.utf8.count < $1.path.utf8.count }?.authenticator
  }

  /// Stores an authenticator that was accepted, for all paths where the same answer is valid. One with the credential of
  /// the request itself is not stored: other requests may be sent for other users.
  func store(
    _ authenticator: PasswordAuthenticator, after head: ResponseHead, to request: Request,
    _ origin: Origin, generation: Int
  ) {
    if let information = HTTPField.Name.authenticationInfo.flatMap({ head.headers[$0] }) {
      authenticator.receiveAuthenticationInfo(information)
    }
    let known = self.authenticator(for: origin, target: request.target, generation: generation)
    guard known !== authenticator, authenticator.credential != request.credential else { return }
    for path in authenticator.scope(of: request, origin) {
      insert(Entry(path: path, authenticator: authenticator, generation: generation), origin)
    }
  }

  private func insert(_ entry: Entry, _ origin: Origin) {
    entries.withLock { entries in
      if entries.values.reduce(0, { $0 + $1.count }) >= Self.limit { entries = [:] }
      var others = entries[origin] ?? []
      others.removeAll { $0.path == entry.path }
      entries[origin] = others + [entry]
    }
    hasEntries.store(true, ordering: .relaxed)
  }

  /// Removes an authenticator that is not accepted any more.
  func remove(_ authenticator: PasswordAuthenticator, for origin: Origin) {
    entries.withLock { $0[origin]?.removeAll { $0.authenticator === authenticator } }
  }
}

extension PasswordAuthenticator {
  /// Returns the beginnings of the targets for which the answer to a request is valid, too.
  ///
  /// For Digest, these are the paths of the URIs in the domain of the challenge, as far as they are on this server. A
  /// challenge without a domain is valid for the whole server (RFC 7616 §3.3). For the other schemes, the result is the
  /// directory of the request's path, with everything below it (RFC 7617 §2.2).
  fileprivate func scope(of request: Request, _ origin: Origin) -> [String] {
    switch domain {
    case nil:
      let path = request.target.prefix { $0 != "?" }
      return [String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])]
    case .some(let uris) where uris.isEmpty: return ["/"]
    case .some(let uris):
      return uris.compactMap { uri in
        guard let url = try? URL(escaping: uri, relativeTo: request.url),
          (try? Origin(of: url)) == origin
        else { return nil }
        return url.path(percentEncoded: true)
      }
    }
  }
}

extension HTTPField.Name {
  fileprivate static let authenticationInfo = HTTPField.Name("Authentication-Info")
}
