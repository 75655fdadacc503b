import Foundation
import MartletCore

/// What cookies look at of a request: the host, the path, and whether the channel is secure.
struct CookieTarget: Equatable {
  /// In lower case and in ASCII, without brackets.
  let host: String
  /// The path without the query; at least a slash.
  let path: String
  /// Whether cookies that are secure may travel.
  ///
  /// Over TLS they may, and within this machine: to `localhost`, a loopback address or a Unix-domain socket.
  /// Browsers and curl treat a server under development so, and its traffic cannot be read from outside.
  let isSecure: Bool

  /// The target of a request; `nil` when it goes nowhere.
  init?(_ request: Request) {
    guard let origin = try? request.origin else { return nil }
    self.init(origin, path: request.target.prefix { $0 != "?" })
  }

  /// The target of a request for a URL; `nil` when that is no server's.
  init?(_ url: URL) {
    guard let origin = try? Origin(of: url) else { return nil }
    self.init(origin, path: url.path(percentEncoded: true)[...])
  }

  private init(_ origin: Origin, path: Substring) {
    host = origin.host
    self.path = path.isEmpty ? "/" : String(path)
    isSecure = origin.isSecure || origin.isOfThisMachine
  }
}
