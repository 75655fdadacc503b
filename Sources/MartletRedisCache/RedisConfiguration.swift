public import EssentialFoundation
import MartletCore

/// The server of a ``RedisResponseCache``, and how the cache uses it.
///
/// Descriptions mask the password.
public struct RedisConfiguration: Hashable, Sendable {
  /// The host name or address of the server.
  public var host: String
  /// The TCP port. The default is 6379.
  public var port: Int
  /// The user name; `nil` is the server's default user.
  public var user: String?
  /// The password; `nil` if the server requires none.
  public var password: String?
  /// The number of the database. The default is 0.
  public var database = 0
  /// The settings of TLS; `nil`, the default, does not encrypt.
  public var tls: TLS?
  /// The beginning of all keys that the cache uses. Other programs must not use such keys. The default is `martlet:`.
  public var keyPrefix = "martlet:"
  /// How long the server may be silent while its answer is awaited. The whole answer may take ten times as long. The
  /// default is 250 milliseconds.
  public var timeout = Duration.milliseconds(250)
  /// How long connecting may take, and then TLS and authentication together. The default is a second. Calls do not wait
  /// for a connection longer than ``timeout``.
  public var connectTimeout = Duration.seconds(1)
  /// How many seconds a response is kept after it has become stale, if it has a validator by which it can be confirmed.
  /// The default is a day. No response is kept for more than 30 days. A session that uses stale responses when a server
  /// cannot be reached finds them as long.
  public var retention: TimeInterval = 86_400
  /// The largest body that is stored, in bytes. The default is 64 MiB.
  public var largestBody = 64 << 20

  /// The settings of TLS.
  public struct TLS: Hashable, Sendable {
    /// A PEM file with the certificates of the trusted authorities. The default, `nil`, trusts those of the system.
    public var trustRoots: URL?
    /// The name or the address that the server's certificate must be for. The default, `nil`, is the host.
    public var serverName: String?
    /// A PEM file with the client's certificate, followed by those of the authorities above it. The default is none.
    public var certificate: URL?
    /// A PEM file with the client's private key, which must not be encrypted. The default, `nil`, is the file of the
    /// certificate.
    public var key: URL?

    /// The documented defaults.
    public init() {}
  }

  /// The documented defaults, for one server.
  ///
  /// - Parameters:
  ///   - host: The host name or address of the server.
  ///   - port: The TCP port. The default is 6379.
  public init(host: String, port: Int = 6379) {
    self.host = host
    self.port = port
  }
}

extension RedisConfiguration: CustomStringConvertible, CustomReflectable {
  /// The URL of the server with its password masked, such as `rediss://user:***@redis.example.com:6379/2`.
  public var description: String {
    let mask = password == nil ? "" : ":***"
    let userInfo = user == nil && password == nil ? "" : "\(user?.masked ?? "")\(mask)@"
    return "\(tls == nil ? "redis" : "rediss")://\(userInfo)\(authority)/\(database)"
  }

  /// An empty mirror, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

  /// Host and port, for messages.
  var authority: String {
    host.utf8.contains(UInt8(ascii: ":"))
      ? "[\(host.sanitized)]:\(port)" : "\(host.sanitized):\(port)"
  }
}
