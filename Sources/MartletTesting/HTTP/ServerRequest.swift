import EssentialFoundation
public import HTTPTypes
public import NIOCore

/// A request as a route's handler receives it: complete, with its body in memory.
public struct ServerRequest: Sendable {
  /// The method.
  public var method: HTTPRequest.Method
  /// The path and query, as in the request line.
  public var target: String
  /// The header fields, in order of arrival.
  public var headers: HTTPFields
  /// The body.
  public var body: ByteBuffer
  /// The fields that followed the body (RFC 9110 §6.5). The default is none.
  public var trailers: HTTPFields = [:]
  /// The client's address, without the port.
  public var remoteAddress: String
  /// Whether the request came over TLS.
  public var isSecure: Bool
  /// The values of the placeholders in the route's path, percent-decoded.
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

  /// The requested URL, composed of the `Host` field and the target.
  public var url: String {
    "\(isSecure ? "https" : "http")://\(headers[host] ?? "localhost")\(localTarget)"
  }

  /// The names and values of the cookies in all `Cookie` fields, in order (RFC 6265 §5.4).
  public var cookies: [(name: String, value: String)] {
    headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      guard let sign = pair.firstIndex(of: "=") else { return nil }
      let name = pair[..<sign].withoutOuterSpace
      let value = pair[pair.index(after: sign)...].withoutOuterSpace
      return (name, value)
    }
  }

  /// The target without the scheme and authority that it has in requests to a proxy (RFC 9112 §3.2.2).
  var localTarget: Substring {
    guard target.first != "/", let scheme = target.firstRange(of: "://") else { return target[...] }
    let rest = target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    return rest.first == "/" ? rest : Substring("/\(rest)")
  }
}

/// `HTTPField.Name` has no constant for this field, which HTTP/2 replaces with a pseudo-header.
private let host = HTTPField.Name("Host") ?? .from

extension ServerRequest {
  /// The value of a placeholder in the path.
  func text(_ name: String) -> String {
    parameters[name] ?? ""
  }

  /// The value of a placeholder, as a number.
  ///
  /// - Throws: `RouteError` with 400 when it is not a number in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int {
    try Self.integer(text(name), name, range)
  }

  /// A query item as a number, or `nil` when no item has this name.
  ///
  /// - Throws: `RouteError` with 400 when it is not a number in `range`.
  func queryInteger(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    try query(name).map { try Self.integer($0, name, range) }
  }

  /// A query item as a number of seconds, from 0 to 10; the default when no item has this name.
  ///
  /// - Throws: `RouteError` with 400 when it is not a number, or is negative.
  func querySeconds(_ name: String, default seconds: Double) throws -> Duration {
    try query(name).map(Self.seconds) ?? .seconds(seconds)
  }

  /// A number of seconds, which may have a fraction; more than 10 counts as 10, as in httpbin.
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
        "“\(text)” is not a number from \(range.lowerBound) to \(range.upperBound) for \(name).")
    }
    return number
  }
}
