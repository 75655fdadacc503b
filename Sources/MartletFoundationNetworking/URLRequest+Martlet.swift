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
  /// Fields of one name are joined with commas, because `URLRequest` holds one value for each name (RFC 9110 §5.3). A
  /// body in memory becomes `httpBody`; a whole file becomes `httpBodyStream`. Of the options, those that
  /// `URLRequest` has are carried over. It has no `expectsContinue`, redirect policy, priority, credential and
  /// interceptors, no time-outs except `idle`, and on Linux no `responsiveData`, `avStreaming` and `responsiveAV` among
  /// its service types.
  ///
  /// - Throws: `MartletError` with code `.invalidRequest` for a request with trailers, `.bodyNotReplayable` for a part of a file or a body that is
  ///   produced while it is sent, neither of which `URLRequest` can hold; `.fileNotReachable` for a
  ///   file that does not exist or cannot be sent.
  public init(_ request: Request) throws(MartletError) {
    guard request.trailers == nil else { throw .trailersNotConvertible }
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    for field in request.headers { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    switch request.body.source {
    case .empty: break
    case .bytes(let bytes): httpBody = Data(bytes.readableBytesView)
    case .file(let range):
      guard try range.isWhole else { throw .bodyNotConvertible }
      httpBodyStream = InputStream(fileAtPath: range.path)
    case .producer: throw .bodyNotConvertible
    }
    apply(request.options)
  }

  private mutating func apply(_ options: Request.Options) {
    if let interval = options.timeoutInterval ?? options.timeouts?.idle {
      timeoutInterval = interval / .seconds(1)
    }
    if let handles = options.shouldHandleCookies { httpShouldHandleCookies = handles }
    if let allows = options.allowsCellularAccess { allowsCellularAccess = allows }
    if let policy = options.cachePolicy { cachePolicy = CachePolicy(policy) }
    if let type = options.networkServiceType.flatMap(NetworkServiceType.init) {
      networkServiceType = type
    }
    if let uses = options.shouldUsePipelining { usesPipelining = uses }
  }
}

extension Request {
  /// The same request for Martlet.
  ///
  /// A property with the default value of `URLRequest` on this system counts as not set, so that the
  /// session's setting applies.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` when there is no URL, `.unsupportedScheme`, or
  ///   `.invalidHeader` and `.invalidRequest` for a field or a method that is not valid; `.bodyNotReplayable`
  ///   for a body that is a stream.
  public init(_ request: URLRequest) throws(MartletError) {
    guard let url = request.url else { throw .invalidURL("", "the request has none") }
    let name = request.httpMethod ?? "GET"
    guard let method = HTTPRequest.Method(name) else { throw .invalidMethod(name) }
    self.init(method, url: url)
    _ = try origin
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      try headers.append(name: name, value: value)
    }
    if let data = request.httpBody {
      body = .data(data)
    } else if request.httpBodyStream != nil {
      throw .streamNotConvertible
    }
    options = Options(request, differingFrom: URLRequest(url: url))
  }
}

extension Request.Options {
  fileprivate init(_ request: URLRequest, differingFrom defaults: URLRequest) {
    self.init()
    timeoutInterval = request.changed(\.timeoutInterval, from: defaults).flatMap { interval in
      // Some applications write “never” as infinity, or as a number that is too large for `Duration`.
      interval > 0 && interval <= 1e9 ? .seconds(interval) : nil
    }
    shouldHandleCookies = request.changed(\.httpShouldHandleCookies, from: defaults)
    allowsCellularAccess = request.changed(\.allowsCellularAccess, from: defaults)
    shouldUsePipelining = request.changed(\.usesPipelining, from: defaults)
    cachePolicy = request.changed(\.cachePolicy, from: defaults).flatMap(Request.CachePolicy.init)
    networkServiceType = request.changed(\.networkServiceType, from: defaults)
      .flatMap(Request.NetworkServiceType.init)
  }
}

extension URLRequest {
  /// The value of a property, unless it is the one that `defaults` has.
  fileprivate func changed<Value: Equatable>(
    _ property: KeyPath<URLRequest, Value>, from defaults: URLRequest
  ) -> Value? {
    self[keyPath: property] == defaults[keyPath: property] ? nil : self[keyPath: property]
  }
}

extension RequestBody.FileRange {
  /// Whether the range covers the whole file as it is now.
  fileprivate var isWhole: Bool {
    get throws(MartletError) {
      let whole = try RequestBody.file(at: URL(fileURLWithPath: path)).length
      return offset == 0 && length == whole
    }
  }
}

extension MartletError {
  static let streamNotConvertible = MartletError(
    .bodyNotReplayable,
    "The body is an input stream, which can be read only once: set `httpBody`, or give the Martlet request a body of its own."
  )
  static let trailersNotConvertible = MartletError(
    .invalidRequest, "The request has trailers, which URLRequest cannot hold: send it with Martlet."
  )
  static let bodyNotConvertible = MartletError(
    .bodyNotReplayable,
    "The body is produced while it is sent, or is a part of a file, which URLRequest cannot hold: collect it in memory first."
  )
}
