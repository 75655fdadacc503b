import EssentialFoundation
public import MartletCore

extension RedisConfiguration {
  /// The configuration for a URL, such as `redis://user:password@redis.example.com:6379/2`.
  ///
  /// The scheme is `redis`, or `rediss` for TLS. The path is the number of the database. User, password, port and path
  /// may be missing. Characters of user and password that a URL does not allow must be percent-encoded.
  ///
  /// - Parameter text: The URL.
  /// - Throws: `MartletError` with code `.invalidSetting`. It shows no part of the URL, because it may be unclear where
  ///   its password ends.
  public init(url text: String) throws(MartletError) {
    guard let url = try? URL(escaping: text), let host = url.host(percentEncoded: false),
      !host.isEmpty
    else { throw .invalidRedisURL(Self.notAURL) }
    switch url.scheme?.lowercased() {
    case "redis": tls = nil
    case "rediss": tls = TLS()
    default: throw .invalidRedisURL("its scheme must be redis or rediss")
    }
    guard url.query == nil, url.fragment == nil else {
      throw .invalidRedisURL("it must not have a query or a fragment")
    }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    port = try Self.port(of: url)
    user = url.user(percentEncoded: false).flatMap { $0.isEmpty ? nil : $0 }
    password = url.password(percentEncoded: false)
    guard user == nil || password != nil else {
      throw .invalidRedisURL("it has a user, but no password")
    }
    database = try Self.database(url.path(percentEncoded: true))
  }

  private static let notAURL =
    "it is not a URL such as redis://redis.example.com:6379/0; percent-encode special characters in user and password"

  private static func port(of url: URL) throws(MartletError) -> Int {
    do throws(URLProblem) {
      return try url.checkedPort ?? 6379
    } catch {
      throw .invalidRedisURL(error.reason)
    }
  }

  private static func database(_ path: String) throws(MartletError) -> Int {
    let text = path.drop { $0 == "/" }
    guard !text.isEmpty else { return 0 }
    guard text.utf8.allSatisfy(\.isDigit), let number = Int32(text) else {
      throw .invalidRedisURL("its path must be the number of a database")
    }
    return Int(number)
  }
}

extension MartletError {
  fileprivate static func invalidRedisURL(_ reason: String) -> MartletError {
    MartletError(.invalidSetting, "The URL of a Redis server is not usable: \(reason).")
  }
}
