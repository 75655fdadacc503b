import EssentialFoundation
import HTTPTypes
import MartletCore

/// Whether a response may be kept, and for how long it may be used without asking the server: RFC 9111 at its
/// simplest, for a private cache that does not revalidate.
enum Freshness {
  /// Whether the response to a request may be kept (§3).
  static func isStorable(_ head: ResponseHead, to request: Request) -> Bool {
    guard request.isCacheable, understood.contains(head.status.code),
      !CacheControl(request.headers).contains("no-store"),
      CachedResponse.varyHeaders(head, request) != nil
    else { return false }
    return !CacheControl(head.headers).contains("no-store")
  }

  /// Whether a kept response may answer a request without the server being asked (§4.2, §5.2.1).
  static func isFresh(_ cached: CachedResponse, for request: Request, at now: Date) -> Bool {
    let wish = CacheControl(request.headers)
    let rule = CacheControl(cached.head.headers)
    guard !wish.contains("no-cache"), !rule.contains("no-cache") else { return false }
    if wish.isEmpty, request.headers.mentionNoCacheInPragma { return false }
    let age = age(of: cached, at: now)
    if let longest = wish.seconds("max-age"), age > longest { return false }
    let left = lifetime(of: cached) - age
    return left > 0 && left >= wish.seconds("min-fresh") ?? 0
  }

  /// How long the server says a response stays fresh; zero when it does not say (§4.2.1).
  static func lifetime(of cached: CachedResponse) -> TimeInterval {
    let headers = cached.head.headers
    if let seconds = CacheControl(headers).seconds("max-age") { return seconds }
    guard let expires = headers[.expires].flatMap(HTTPDate.date) else { return 0 }
    let begin = headers[.date].flatMap(HTTPDate.date) ?? cached.responseTime
    return expires.timeIntervalSince(begin)
  }

  /// How old a response is (§4.2.3).
  static func age(of cached: CachedResponse, at now: Date) -> TimeInterval {
    let headers = cached.head.headers
    let begin = headers[.date].flatMap(HTTPDate.date) ?? cached.responseTime
    let apparent = max(0, cached.responseTime.timeIntervalSince(begin))
    let told = headers[.age].flatMap { Int64($0) }.map { TimeInterval(max($0, 0)) } ?? 0
    let delay = cached.responseTime.timeIntervalSince(cached.requestTime)
    return max(apparent, told + delay) + now.timeIntervalSince(cached.responseTime)
  }

  /// The same as the field of a response that comes from a cache (§5.1).
  static func ageField(of cached: CachedResponse, at now: Date) -> String {
    String(Int64(min(max(age(of: cached, at: now), 0), 0x8000_0000)))
  }

  /// Final statuses whose meaning for a cache is known (§3); 206 and 304 need what is not here.
  private static let understood: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
}

extension Request {
  /// Whether a response is a whole answer to such requests: a part of a body, or the answer to a conditional request,
  /// is not.
  var isCacheable: Bool {
    method == .get && body.isEmpty && !headers.contains(.range) && !isSignedByDigest
  }

  /// Whether the request authenticates by Digest. Its field is good for one request: no other has the same, and the
  /// name in it does not prove that the password is known, which the server alone can tell.
  private var isSignedByDigest: Bool {
    headers[.authorization]?.prefix(7).lowercased() == "digest "
  }
}

extension HTTPFields {
  /// Whether they ask for a new response in the way of HTTP/1.0 (§5.4).
  fileprivate var mentionNoCacheInPragma: Bool {
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
      // Of directives that contradict each other the first one counts (§4.2.1).
      guard !name.isEmpty, directives[name] == nil else { continue }
      let hasArgument = lexer.skip("=")
      directives[name] = .some(hasArgument ? lexer.quotedString() ?? lexer.token() : nil)
    }
  }

  /// Whether there are no directives at all.
  var isEmpty: Bool { directives.isEmpty }

  /// Whether a directive is there, with an argument or without.
  func contains(_ name: String) -> Bool { directives[name] != nil }

  /// The seconds that a directive names: none that can be read is zero, so that a mistake means stale; beyond
  /// 2³¹ it is as good as for ever (§1.2.2).
  func seconds(_ name: String) -> TimeInterval? {
    guard let argument = directives[name] else { return nil }
    guard let argument, !argument.isEmpty, argument.utf8.allSatisfy(\.isDigit) else { return 0 }
    return TimeInterval(min(Int64(argument) ?? .max, 1 << 31))
  }
}
