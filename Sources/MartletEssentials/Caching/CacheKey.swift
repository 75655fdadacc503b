import Crypto
import EssentialFoundation
import HTTPTypes
public import MartletCore

/// The key of a stored response: the URL, and a digest of the credentials.
///
/// Requests with different credentials have different keys, so that one user of a session never receives a response for
/// another. Responses to requests that authenticate by Digest are not stored, because no two such requests are equal.
/// Credentials are `Authorization`, `Cookie`, `Proxy-Authorization`, every field that the indexing strategy `.disallow` marks as
/// secret, and those with such names as `X-Api-Key`. A shared cache (``CacheOptions/Mode/shared``) has keys without credentials.
///
/// In a session, the key of an https request also has the client certificate and the security policy for the host, as
/// far as they differ from the default: a response from a server that was not verified is no answer to a request that
/// requires a verified one. Certificates that `clientIdentityProvider` chooses, and the decisions of evaluators and
/// closures, count for one session only.
public struct CacheKey: Hashable, Codable, Sendable {
  /// The URL without user information and fragment, or the request's own `cacheKey`.
  public let url: String
  /// A digest (SHA-256, in hexadecimal digits) of the credentials of the request, and one of the settings of its
  /// connection if they are not the default; `nil` without both.
  ///
  /// The credentials cannot be read from it, but a guess can be checked against it.
  public let credentialsDigest: String?

  /// The key of a request in a private cache of a session with default settings.
  public init(_ request: Request) {
    self.init(request, CacheOptions(), nil)
  }

  /// The key of a request over connections with these settings; `nil` for a cache outside a session.
  init(_ request: Request, _ options: CacheOptions, _ connections: ConnectionSettings?) {
    url = Self.url(of: request, options)
    let credentials =
      options.mode == .private && request.headers.haveSecret
      ? Self.digest(of: request.headers.secrets) : nil
    guard let settings = connections?.digest(for: request, options.mode) else {
      credentialsDigest = credentials
      return
    }
    credentialsDigest = credentials.map { "\($0)-\(settings)" } ?? settings
  }

  /// A key from its parts, as a cache has stored them.
  ///
  /// - Parameters:
  ///   - url: The URL of another key.
  ///   - credentialsDigest: The digest of another key.
  public init(url: String, credentialsDigest: String?) {
    self.url = url
    self.credentialsDigest = credentialsDigest
  }

  /// Returns the ``url`` for a request.
  static func url(of request: Request, _ options: CacheOptions) -> String {
    request.cacheKey ?? options.key?(request) ?? url(of: request)
  }

  /// Returns the URL of a request, without user information and fragment, and with its host in lower case.
  static func url(of request: Request) -> String {
    guard let origin = try? request.origin else {
      return request.url.absoluteString.withoutUserInfo
    }
    guard case .unixSocket = origin.endpoint, let host = request.url.host(percentEncoded: true)
    else { return origin.description + request.target }
    // The path of a socket is not to be taken for a part of the URL's path.
    return "\(origin.isSecure ? "https" : "http")+unix://\(host)\(request.target)"
  }

  /// The same for the URL in a response.
  static func url(of url: URL) -> String { Self.url(of: Request(url: url)) }

  /// Returns a digest of fields. It is different for lists of fields that differ in a name or a value.
  static func digest(of fields: some Sequence<HTTPField>) -> String {
    var hash = SHA256()
    for field in fields {
      // Neither a name nor a value contains a line break (RFC 9110 §5.5).
      hash.update(data: Data("\(field.name.canonicalName):".utf8))
      field.withUnsafeBytesOfValue { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
      hash.update(data: Data([UInt8(ascii: "\n")]))
    }
    return hash.finalize().hexadecimal
  }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
  /// The URL, without the digest of the credentials.
  public var description: String { url.masked }
  /// An empty mirror, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
