import EssentialFoundation
public import HTTPTypes
public import NIOCore

/// A request as a route's handler sees it: complete, with its body in memory.
public struct ServerRequest: Sendable {
  /// The method.
  public var method: HTTPRequest.Method
  /// Path and query as the request line has them.
  public var target: String
  /// The header fields, in order of arrival.
  public var headers: HTTPFields
  /// The body.
  public var body: ByteBuffer
  /// The client's address, without the port.
  public var remoteAddress: String
  /// Whether the request came over TLS.
  public var isSecure: Bool
  /// What the placeholders of the route's path matched, percent-decoded.
  public var parameters: [String: String] = [:]

  /// A request from its parts.
  public init(
    method: HTTPRequest.Method, target: String, headers: HTTPFields = [:],
    body: ByteBuffer = ByteBuffer(), remoteAddress: String = "127.0.0.1", isSecure: Bool = false
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
  }

  /// The path, percent-encoded.
  public var path: String {
    String(localTarget.prefix { $0 != "?" })
  }

  /// The query's names and values, percent-decoded, in order.
  public var query: [(name: String, value: String)] {
    guard let mark = localTarget.firstIndex(of: "?") else { return [] }
    return FormCoding.pairs(localTarget[localTarget.index(after: mark)...])
  }

  /// The value of the first query item with this name.
  public func query(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The URL that was asked for, put together from the `Host` field and the target.
  public var url: String {
    "\(isSecure ? "https" : "http")://\(headers[host] ?? "localhost")\(localTarget)"
  }

  /// The values of all `Cookie` fields, in order (RFC 6265 §5.4).
  public var cookies: [(name: String, value: String)] {
    headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      guard let sign = pair.firstIndex(of: "=") else { return nil }
      let name = pair[..<sign].withoutOuterSpace
      let value = pair[pair.index(after: sign)...].withoutOuterSpace
      return (name, value)
    }
  }

  /// The target without scheme and authority, which requests to a proxy carry (RFC 9112 §3.2.2).
  var localTarget: Substring {
    guard target.first != "/", let scheme = target.firstRange(of: "://") else { return target[...] }
    let rest = target[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
  }
}

/// `HTTPFields` has no name for the field that HTTP/2 writes as a pseudo header.
private let host = HTTPField.Name("Host") ?? .from

extension ServerRequest {
  /// What a placeholder of the path matched.
  func text(_ name: String) -> String {
    parameters[name] ?? ""
  }

  /// What a placeholder matched, as a number.
  ///
  /// - Throws: `RouteError` with 400 when it is none, or not in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int {
    try Self.integer(text(name), name, range)
  }

  /// A query item as a number, or `nil` when there is none of this name.
  ///
  /// - Throws: `RouteError` with 400 when it is no number, or not in `range`.
  func queryInteger(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    try query(name).map { try Self.integer($0, name, range) }
  }

  /// A query item as a number of seconds, 0 … 10.
  ///
  /// - Throws: `RouteError` with 400 when it is no number.
  func querySeconds(_ name: String, default seconds: Double) throws -> Duration {
    try query(name).map(Self.seconds) ?? .seconds(seconds)
  }

  /// A number of seconds, fractions allowed; more than 10 means 10, as with httpbin.
  static func seconds(_ text: String) throws -> Duration {
    guard let seconds = Double(text), seconds >= 0, !seconds.isNaN else {
      throw RouteError.badRequest("“\(text)” is not a number of seconds.")
    }
    return .seconds(min(seconds, 10))
  }

  private static func integer(
    _ text: String, _ name: String, _ range: ClosedRange<Int>
  ) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw RouteError.badRequest(
        "“\(text)” is no number from \(range.lowerBound) to \(range.upperBound) for \(name).")
    }
    return number
  }
}
