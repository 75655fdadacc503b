import HTTPTypes
import MartletEssentials
import MartletCore

/// The contents of a session file: cookies, and for each server its headers and its credential.
struct SessionContents: Codable {
  /// The saved headers and credential for one server.
  struct Server: Codable, Equatable {
    /// Pairs of a name and a value, in order.
    var headers: [[String]] = []
    var identity: CommandLineCredential?
  }

  /// The version of the format that this tool reads and writes.
  static let version = 1

  /// The version of the format. The name of this property marks the file as a session of martlet.
  private(set) var martletSession = Self.version
  private var servers: [String: Server] = [:]
  var cookies: [Cookie] = []

  /// The saved headers and credential for a server.
  subscript(origin: Origin) -> Server {
    get { servers[origin.description] ?? Server() }
    set { servers[origin.description] = newValue == Server() ? nil : newValue }
  }

  /// Merges the contents that another run has written meanwhile.
  ///
  /// An entry that the other run has changed is taken over, unless it has changed here as well.
  ///
  /// - Parameters:
  ///   - theirs: The contents that the other run has written.
  ///   - known: The contents of the file when this run read it.
  /// - Returns: The contents to save.
  func merged(with theirs: SessionContents, since known: SessionContents) -> SessionContents {
    var merged = self
    merged.servers = Self.merge(servers, theirs.servers, since: known.servers, by: ==)
    var kept = Self.merge(
      cookiesByKey, theirs.cookiesByKey, since: known.cookiesByKey
    ) { $0?.withoutLastUse == $1?.withoutLastUse }
    merged.cookies = (cookies + theirs.cookies).compactMap { kept.removeValue(forKey: $0.jarKey) }
    return merged
  }

  private static func merge<Key: Hashable, Value>(
    _ mine: [Key: Value], _ theirs: [Key: Value], since known: [Key: Value],
    by isSame: (Value?, Value?) -> Bool
  ) -> [Key: Value] {
    var merged: [Key: Value] = [:]
    for key in Set(mine.keys).union(theirs.keys) {
      let isTheirs = isSame(mine[key], known[key]) && !isSame(theirs[key], known[key])
      merged[key] = isTheirs ? theirs[key] : mine[key]
    }
    return merged
  }

  /// The cookies without the expired ones: that a cookie expires is not a change.
  private var cookiesByKey: [[String]: Cookie] {
    Dictionary(cookies.filter { !$0.isExpired() }.map { ($0.jarKey, $0) }) { _, later in later }
  }
}

extension SessionContents.Server {
  /// Saves headers in place of those with the same names. Headers that apply to a single request only are not saved.
  mutating func keep(_ fields: HTTPFields) {
    let lasting = fields.filter { !$0.name.isRequestSpecific }
    for field in lasting { removeHeaders(field.name.rawName) }
    headers += lasting.map { [$0.name.rawName, $0.value] }
  }

  mutating func removeHeaders(_ name: String) {
    headers.removeAll { $0.first?.lowercased() == name.lowercased() }
  }

  /// The headers for a request, marked as secret, so that they are not sent to another server after a redirect.
  ///
  /// - Throws: `MartletError` when a saved header is not valid.
  func fields() throws(MartletError) -> HTTPFields {
    var fields = HTTPFields()
    for pair in headers where pair.count == 2 {
      var field = try HTTPField(validating: pair[0], value: pair[1])
      field.indexingStrategy = .disallow
      fields.append(field)
    }
    return fields
  }
}

extension Cookie {
  /// The properties that identify the cookie in a jar.
  fileprivate var jarKey: [String] { [domain, "\(isHostOnly)", path, name] }

  /// The cookie without its time of last use, because using a cookie is not a change.
  fileprivate var withoutLastUse: Cookie {
    var cookie = self
    cookie.lastUsed = created
    return cookie
  }
}

extension HTTPField.Name {
  /// Whether a header applies to a single request only.
  fileprivate var isRequestSpecific: Bool {
    switch canonicalName {
    case "cookie", "host", "range", "transfer-encoding": true
    default: canonicalName.hasPrefix("content-") || canonicalName.hasPrefix("if-")
    }
  }
}
