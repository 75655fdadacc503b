import HTTPTypes
public import MartletCore
import NIOCore

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
  /// The same request for `URLSession`.
  ///
  /// Fields of one name are joined with commas, which is what `URLRequest` can hold (RFC 9110 §5.3). A
  /// body in memory becomes `httpBody`; a whole file becomes `httpBodyStream`.
  ///
  /// - Throws: `MartletError` with code `.bodyNotReplayable` for a part of a file or a body that is
  ///   produced while it is sent, neither of which `URLRequest` can hold.
  public init(_ request: Request) throws(MartletError) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    for field in request.headers { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    switch request.body.source {
    case .empty: break
    case .bytes(let bytes): httpBody = Data(bytes.readableBytesView)
    case .file(let range) where range.offset == 0:
      httpBodyStream = InputStream(fileAtPath: range.path)
    case .file, .producer: throw .bodyNotConvertible
    }
    apply(request.options)
  }

  private mutating func apply(_ options: Request.Options) {
    if let interval = options.timeoutInterval ?? options.timeouts?.idle {
      timeoutInterval = interval / .seconds(1)
    }
    if let handles = options.shouldHandleCookies { httpShouldHandleCookies = handles }
    if let allows = options.allowsCellularAccess { allowsCellularAccess = allows }
    if let policy = options.cachePolicy.flatMap({ CachePolicy(rawValue: UInt($0.rawValue)) }) {
      cachePolicy = policy
    }
  }
}

extension Request {
  /// The same request for Martlet.
  ///
  /// What still has `URLRequest`'s default counts as not set, so that the session's settings hold.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` when there is no URL, `.unsupportedScheme`, or
  ///   `.invalidHeader` and `.invalidRequest` for what may not stand in a request.
  public init(_ request: URLRequest) throws(MartletError) {
    guard let url = request.url else { throw .invalidURL("", "the request has none") }
    let name = request.httpMethod ?? "GET"
    guard let method = HTTPRequest.Method(name) else { throw .invalidMethod(name) }
    self.init(method, url: url)
    _ = try origin
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      try headers.append(name: name, value: value)
    }
    if let data = request.httpBody { body = .data(data) }
    options = Options(differingFromDefaults: request)
  }
}

extension Request.Options {
  fileprivate init(differingFromDefaults request: URLRequest) {
    self.init()
    if request.timeoutInterval != 60 { timeoutInterval = .seconds(request.timeoutInterval) }
    if !request.httpShouldHandleCookies { shouldHandleCookies = false }
    if !request.allowsCellularAccess { allowsCellularAccess = false }
    if request.cachePolicy != .useProtocolCachePolicy {
      cachePolicy = Request.CachePolicy(rawValue: Int(request.cachePolicy.rawValue))
    }
  }
}

extension MartletError {
  static let bodyNotConvertible = MartletError(
    .bodyNotReplayable,
    "The body is produced while it is sent, or is a part of a file, which URLRequest cannot hold: collect it in memory first."
  )
}
