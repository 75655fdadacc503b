public import EssentialFoundation
public import MartletCore
import Synchronization

/// The credentials with which a session answers challenges, by server and realm.
///
/// A credential is sent to a server only after the server has sent a challenge. From then on, requests to the same part
/// of the server carry the answer from the start. A store may be shared by sessions, and changed at any time.
///
///     try configuration.authentication.credentials.set(
///       .password(user: "ada", password: password), for: url)
public final class CredentialStore: Sendable {
  private struct Contents {
    var credentials: [ProtectionSpace: Credential] = [:]
    var netrc: Netrc?
  }

  private let contents: Locked<Contents>
  private let hasCredentials: Atomic<Bool>
  private let changes = Atomic(0)

  /// A store in memory.
  ///
  /// - Parameter netrc: A netrc file in which passwords are looked up by host, if no credential was set for the realm.
  ///   The default is `nil`.
  public init(netrc: Netrc? = nil) {
    contents = Locked(Contents(netrc: netrc))
    hasCredentials = Atomic(netrc != nil)
  }

  /// Sets the credential for the server of a URL.
  ///
  /// - Parameters:
  ///   - credential: The credential; `nil` removes it.
  ///   - url: Any URL of the server; its path does not matter.
  ///   - realm: The realm that the server must name. The default, `nil`, means all of its realms.
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public func set(_ credential: Credential?, for url: URL, realm: String? = nil)
    throws(MartletError)
  {
    let protectionSpace = ProtectionSpace(origin: try Origin(of: url), realm: realm)
    change { $0.credentials[protectionSpace] = credential }
  }

  /// Removes all credentials, and the netrc file.
  public func removeAll() {
    change { $0 = Contents() }
  }

  /// Returns the credential for the realm, or else for all realms of the server, or else from the netrc file.
  public func credential(for protectionSpace: ProtectionSpace) -> Credential? {
    contents.withLock { contents in
      contents.credentials[protectionSpace]
        ?? contents.credentials[ProtectionSpace(origin: protectionSpace.origin)]
        ?? contents.netrc?.credential(for: protectionSpace.origin.host)
    }
  }

  /// Whether there are no credentials and no netrc file; this takes no lock.
  var isEmpty: Bool { !hasCredentials.load(ordering: .relaxed) }

  /// Increases with every change, so that answers made from earlier credentials are not used any more.
  var generation: Int { changes.load(ordering: .relaxed) }

  private func change(_ change: (inout Contents) -> Void) {
    contents.withLock { contents in
      change(&contents)
      hasCredentials.store(
        !contents.credentials.isEmpty || contents.netrc != nil, ordering: .relaxed)
      changes.add(1, ordering: .relaxed)
    }
  }
}

extension CredentialStore: CustomStringConvertible, CustomReflectable {
  /// The store as text: the number of its credentials.
  public var description: String {
    "CredentialStore of \(contents.withLock { $0.credentials.count }) credentials"
  }

  /// An empty mirror, because the contents are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The part of a server for which one set of credentials is valid: a realm (RFC 9110 §11.5).
public struct ProtectionSpace: Hashable, Sendable {
  /// The server.
  public var origin: Origin
  /// The realm of the server; `nil` when the server names none.
  public var realm: String?

  /// A protection space from its parts.
  public init(origin: Origin, realm: String? = nil) {
    self.origin = origin
    self.realm = realm
  }
}
