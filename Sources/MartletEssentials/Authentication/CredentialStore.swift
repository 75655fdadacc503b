public import EssentialFoundation
public import MartletCore
import Synchronization

/// The credentials that a session answers challenges with, by server and realm.
///
/// A server is shown one only after it has asked. From then on, requests to the same part of it carry the answer
/// from the start. Safe to be shared by sessions, and to be changed at any time.
///
///     try configuration.authentication.credentials.set(
///       .password(user: "ada", password: password), for: url)
public final class CredentialStore: Sendable {
  private struct Book {
    var credentials: [ProtectionSpace: Credential] = [:]
    var netrc: Netrc?
  }

  private let book: Locked<Book>
  private let hasCredentials: Atomic<Bool>
  private let changes = Atomic(0)

  /// A store in memory.
  ///
  /// - Parameter netrc: Where passwords are looked up by host when none was set for the server. The default is
  ///   `nil`.
  public init(netrc: Netrc? = nil) {
    book = Locked(Book(netrc: netrc))
    hasCredentials = Atomic(netrc != nil)
  }

  /// Sets what to show to the server of a URL.
  ///
  /// - Parameters:
  ///   - credential: What to show; `nil` takes away what was set.
  ///   - url: Any URL of the server; its path does not matter.
  ///   - realm: What the server must call the place. The default, `nil`, means all of its realms.
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public func set(_ credential: Credential?, for url: URL, realm: String? = nil)
    throws(MartletError)
  {
    let protectionSpace = ProtectionSpace(origin: try Origin(of: url), realm: realm)
    change { $0.credentials[protectionSpace] = credential }
  }

  /// Takes away all that was set, and the netrc file.
  public func removeAll() {
    change { $0 = Book() }
  }

  /// What to show, for the realm or else for all realms of the server, or else by the netrc file.
  public func credential(for protectionSpace: ProtectionSpace) -> Credential? {
    book.withLock { book in
      book.credentials[protectionSpace]
        ?? book.credentials[ProtectionSpace(origin: protectionSpace.origin)]
        ?? book.netrc?.credential(for: protectionSpace.origin.host)
    }
  }

  /// Whether there is nothing to show; this takes no lock.
  var isEmpty: Bool { !hasCredentials.load(ordering: .relaxed) }

  /// Grows with every change, so that what was learnt with other credentials is not used any more.
  var generation: Int { changes.load(ordering: .relaxed) }

  private func change(_ change: (inout Book) -> Void) {
    book.withLock { book in
      change(&book)
      hasCredentials.store(!book.credentials.isEmpty || book.netrc != nil, ordering: .relaxed)
      changes.add(1, ordering: .relaxed)
    }
  }
}

extension CredentialStore: CustomStringConvertible, CustomReflectable {
  /// How many credentials there are.
  public var description: String {
    "CredentialStore of \(book.withLock { $0.credentials.count }) credentials"
  }

  /// No parts: they are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What one set of credentials lets in to: a realm of a server (RFC 9110 §11.5).
public struct ProtectionSpace: Hashable, Sendable {
  /// The server.
  public var origin: Origin
  /// The part of it, in its own words; `nil` where it names none.
  public var realm: String?

  /// A space from its parts.
  public init(origin: Origin, realm: String? = nil) {
    self.origin = origin
    self.realm = realm
  }
}
