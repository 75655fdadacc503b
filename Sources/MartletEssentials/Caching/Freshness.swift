import EssentialFoundation
import HTTPTypes
import MartletCore

/// Decides whether a response may be stored, and how long it may be used without a new request to the server.
///
/// This is the simplest form of RFC 9111: a private cache that does not revalidate.
enum Freshness {
  /// Whether responses to the request may be cached. It must be a GET without a body, without `Range`, and without
  /// Digest authentication.
  static func isCacheable(_ request: Request) -> Bool {
    request.method == .get && request.body.isEmpty && !request.headers.contains(.range)
      && !request.headers.useDigestAuthentication
  }

  /// Whether the response to a request may be stored (§3).
  static func isStorable(_ head: ResponseHead, to request: Request) -> Bool {
    guard isCacheable(request), understood.contains(head.status.code),
      !CacheControl(request.headers).contains("no-store"),
      CachedResponse.varyHeaders(head, request) != nil
    else { return false }
    return !CacheControl(head.headers).contains("no-store")
  }

  /// Whether a stored response may answer a request without a new request to the server (§4.2, §5.2.1).
  static func isFresh(_ cached: CachedResponse, for request: Request, at now: Date) -> Bool {
    let requestDirectives = CacheControl(request.headers)
    let responseDirectives = CacheControl(cached.head.headers)
    guard !requestDirectives.contains("no-cache"), !responseDirectives.contains("no-cache") else {
      return false
    }
    if requestDirectives.isEmpty, request.headers.hasPragmaNoCache { return false }
    let age = age(of: cached, at: now)
    if let longest = requestDirectives.seconds("max-age"), age > longest { return false }
    let left = lifetime(of: cached) - age
    return left > 0 && left >= requestDirectives.seconds("min-fresh") ?? 0
  }

  /// Returns how long a response stays fresh according to the server; zero when it does not specify this (§4.2.1).
  static func lifetime(of cached: CachedResponse) -> TimeInterval {
    let headers = cached.head.headers
    if let seconds = CacheControl(headers).seconds("max-age") { return seconds }
    guard let expires = headers[.expires].flatMap(HTTPDate.date) else { return 0 }
    let begin = headers[.date].flatMap(HTTPDate.date) ?? cached.responseTime
    return expires.timeIntervalSince(begin)
  }

  /// Returns the age of a response (§4.2.3).
  static func age(of cached: CachedResponse, at now: Date) -> TimeInterval {
    let headers = cached.head.headers
    let begin = headers[.date].flatMap(HTTPDate.date) ?? cached.responseTime
    let apparent = max(0, cached.responseTime.timeIntervalSince(begin))
    let reportedAge = headers[.age].flatMap { Int64($0) }.map { TimeInterval(max($0, 0)) } ?? 0
    let delay = cached.responseTime.timeIntervalSince(cached.requestTime)
    return max(apparent, reportedAge + delay) + now.timeIntervalSince(cached.responseTime)
  }

  /// Returns the age as the `Age` field of a response from a cache (§5.1).
  static func ageField(of cached: CachedResponse, at now: Date) -> String {
    String(Int64(min(max(age(of: cached, at: now), 0), 0x8000_0000)))
  }

  /// The final status codes that this cache understands (§3). 206 and 304 need functions that it does not have.
  /// `CacheInterceptor` does not store redirects, although they are in this set.
  private static let understood: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
}

extension HTTPFields {
  /// Whether they authenticate by Digest.
  ///
  /// The `Authorization` field is different for each request. The user name in it does not prove that the sender knows
  /// the password, which only the server can check.
  fileprivate var useDigestAuthentication: Bool {
    self[.authorization]?.prefix(7).lowercased() == "digest "
  }

  /// Whether they request a new response with the `Pragma` field of HTTP/1.0 (§5.4).
  fileprivate var hasPragmaNoCache: Bool {
    contains { $0.name.canonicalName == "pragma" && $0.value.lowercased().contains("no-cache") }
  }
}

/// The directives of a message's `Cache-Control` (RFC 9111 §5.2).
struct CacheControl {
  private var directives: [String: String?] = [:]

  init(_ headers: HTTPFields) {
    for element in headers[values: .cacheControl].flatMap({ $0.fieldElements() }) {
      var lexer = FieldLexer(element)
      let name = lexer.token().lowercased()
      // If a directive occurs several times, the first value is used (§4.2.1).
      guard !name.isEmpty, directives[name] == nil else { continue }
      let hasArgument = lexer.skip("=")
      directives[name] = .some(hasArgument ? lexer.quotedString() ?? lexer.token() : nil)
    }
  }

  /// Whether there are no directives at all.
  var isEmpty: Bool { directives.isEmpty }

  /// Whether there is a directive of that name, with or without an argument.
  func contains(_ name: String) -> Bool { directives[name] != nil }

  /// Returns the seconds of a directive; `nil` when there is no such directive.
  ///
  /// An invalid number becomes zero, so that an invalid `max-age` makes the response stale. A number above 2³¹ becomes
  /// 2³¹ (§1.2.2).
  func seconds(_ name: String) -> TimeInterval? {
    guard let argument = directives[name] else { return nil }
    guard let argument, !argument.isEmpty, argument.utf8.allSatisfy(\.isDigit) else { return 0 }
    return TimeInterval(min(Int64(argument) ?? .max, 1 << 31))
  }
}
