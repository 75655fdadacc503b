import EssentialFoundation
import MartletCore

/// The address of a test server, from which its URLs are made.
struct ServerAddress: Sendable {
  let port: Int
  private let scheme: String
  private let host: String
  private let base: URL
  private let socketBase: URL?

  init(isSecure: Bool, host: String, port: Int, unixSocket: String? = nil) throws {
    let scheme = isSecure ? "https" : "http"
    let text = Self.base(scheme: scheme, host: host, port: port)
    let base = try URL(escaping: text)
    let path = unixSocket?.percentEncoded { $0.isLetter || $0.isDigit }
    (self.scheme, self.host, self.port, self.base) = (scheme, host, port, base)
    socketBase = path.flatMap { URL(string: "\(scheme)+unix://\($0)") }
  }

  func url(_ path: String, host: String?) -> URL {
    guard let host else { return Self.url(path, under: base) }
    let other = URL(string: Self.base(scheme: scheme, host: host, port: port))
    return Self.url(path, under: other ?? base)
  }

  func socketURL(_ path: String) -> URL? {
    socketBase.map { Self.url(path, under: $0) }
  }

  private static func base(scheme: String, host: String, port: Int) -> String {
    "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// The URL of a path on the server `base`. Characters of `path` that a URL must not contain are percent-encoded.
  private static func url(_ path: String, under base: URL) -> URL {
    let rooted = path.hasPrefix("/") ? path : "/" + path
    return (try? URL(escaping: base.absoluteString + rooted)) ?? base.appending(path: path)
  }
}
