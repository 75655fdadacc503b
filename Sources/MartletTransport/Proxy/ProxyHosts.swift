public import MartletCore

/// Hosts, named in the way of the environment variable `no_proxy`: a list with commas or blanks.
///
/// | entry | hosts |
/// |---|---|
/// | `*` | all |
/// | `example.com`, `.example.com`, `*.example.com` | that one, and all below it |
/// | `10.1.2.3`, `::1`, `[::1]` | that address |
/// | `10.0.0.0/8`, `fd00::/8` | the addresses that begin with so many bits |
///
/// A port may follow a name, an IPv4 address, or an IPv6 address in brackets: `example.com:8080`. Without
/// one, all ports are meant. Case does not matter, nor does a dot at the end. Names are not looked up: they
/// never match an address.
public struct ProxyHosts: Hashable, Sendable {
  private let text: String
  private let patterns: [ProxyHostPattern]

  /// Hosts from the text of a list.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` for an entry that is none of the above.
  public init(_ text: String) throws(MartletError) {
    do throws(ProxyProblem) {
      try self.init(parsing: text)
    } catch {
      throw .invalidProxy(error.reason, in: "The list of hosts")
    }
  }

  init(parsing text: String) throws(ProxyProblem) {
    let entries = text.split { $0 == "," || $0.isWhitespace }
    var patterns: [ProxyHostPattern] = []
    for entry in entries { patterns.append(try ProxyHostPattern(entry)) }
    self.patterns = patterns
    self.text = entries.joined(separator: ",")
  }

  private init(_ text: String, _ patterns: [ProxyHostPattern]) {
    self.text = text
    self.patterns = patterns
  }

  /// All hosts.
  public static let all = ProxyHosts("*", [.everything])
  /// This machine: `localhost` and all below it, 127.0.0.0/8, and ::1.
  public static let loopback = ProxyHosts(
    "localhost,127.0.0.0/8,::1", [.domain("localhost"), .loopback4, .loopback6])

  /// Whether a server is among the hosts. One behind a Unix-domain socket never is.
  public func contains(_ origin: Origin) -> Bool {
    ProxyTarget(origin).map(contains) ?? false
  }

  func contains(_ target: ProxyTarget) -> Bool {
    patterns.contains { $0.matches(target) }
  }
}

extension ProxyHosts: CustomStringConvertible {
  /// The list as text.
  public var description: String { text }
}
