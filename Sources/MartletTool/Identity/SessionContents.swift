import HTTPTypes
import MartletEssentials
import MartletCore

/// What is kept from one run of the tool to the next: cookies, and for each server its headers and who is there.
struct SessionContents: Codable {
  /// What is kept for one server.
  struct Server: Codable, Equatable {
    /// Names and values, in order.
    var headers: [[String]] = []
    var identity: CommandLineCredential?
  }

  /// The version that this tool reads and writes.
  static let version = 1

  /// Tells the file from others.
  private(set) var martletSession = Self.version
  private var servers: [String: Server] = [:]
  var cookies: [Cookie] = []

  /// What is kept for a server.
  subscript(origin: Origin) -> Server {
    get { servers[origin.description] ?? Server() }
    set { servers[origin.description] = newValue == Server() ? nil : newValue }
  }

  /// What becomes of it when another run has written meanwhile: what that has changed counts, unless it has changed
  /// here as well.
  ///
  /// - Parameters:
  ///   - theirs: What the other run has left.
  ///   - known: What there was before.
  /// - Returns: What is to be kept.
  func merged(with theirs: SessionContents, since known: SessionContents) -> SessionContents {
    var merged = self
    merged.servers = Self.merge(servers, theirs.servers, since: known.servers, by: ==)
    var kept = Self.merge(
      cookiesByPlace, theirs.cookiesByPlace, since: known.cookiesByPlace
    ) { $0?.unused == $1?.unused }
    merged.cookies = (cookies + theirs.cookies).compactMap { kept.removeValue(forKey: $0.place) }
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

  /// That a cookie has expired is no change.
  private var cookiesByPlace: [[String]: Cookie] {
    Dictionary(cookies.filter { !$0.isExpired() }.map { ($0.place, $0) }) { _, later in later }
  }
}

extension SessionContents.Server {
  /// Keeps headers in place of those with the same names, but for those that are about one request alone.
  mutating func keep(_ fields: HTTPFields) {
    let lasting = fields.filter { !$0.name.isFleeting }
    for field in lasting { removeHeaders(field.name.rawName) }
    headers += lasting.map { [$0.name.rawName, $0.value] }
  }

  mutating func removeHeaders(_ name: String) {
    headers.removeAll { $0.first?.lowercased() == name.lowercased() }
  }

  /// The headers for a request, marked as secret, so that no other server gets them, wherever redirects lead.
  ///
  /// - Throws: `MartletError` when the file has what no header can hold.
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
  /// What a jar tells it from others by.
  fileprivate var place: [String] { [domain, "\(isHostOnly)", path, name] }

  /// The cookie without when it was sent, which is no change of it.
  fileprivate var unused: Cookie {
    var cookie = self
    cookie.lastUsed = created
    return cookie
  }
}

extension HTTPField.Name {
  /// Whether a header says something of one request that is not so of the next.
  fileprivate var isFleeting: Bool {
    switch canonicalName {
    case "cookie", "host", "range", "transfer-encoding": true
    default: canonicalName.hasPrefix("content-") || canonicalName.hasPrefix("if-")
    }
  }
}
