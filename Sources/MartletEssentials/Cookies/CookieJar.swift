public import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Stores the cookies that servers set, and selects those for a request (RFC 6265bis).
///
/// By default every session has its own jar, in memory. The configuration can set another jar:
///
///     let api = HTTPSessionManager(baseURL: url) { $0.cookieJar = .shared }
///     api.session.configuration.cookieJar?.removeAll()
///
/// A jar may be used on any thread. ``CookieFile`` saves it to disk.
public final class CookieJar: Sendable {
  /// The maximum numbers of cookies that a jar keeps.
  public struct Limits: Hashable, Sendable {
    /// The maximum number of cookies with one domain. The default is 50.
    public var perDomain = 50
    /// The maximum number of all cookies. The default is 3000.
    public var total = 3000

    /// Limits with the documented defaults.
    public init() {}
  }

  /// The jar of the program, for sessions that share their cookies.
  public static let shared = CookieJar()

  /// The maximum numbers of cookies. When a domain or the whole jar has too many, the jar first removes those that have
  /// expired, and then those that have not been sent for the longest time. In a domain that has too many, it removes
  /// insecure cookies before secure ones.
  public let limits: Limits
  private let store = Locked(CookieStore())
  private let clock: @Sendable () -> Date

  /// An empty jar.
  ///
  /// - Parameter limits: The maximum numbers of cookies. The default has the documented defaults.
  public convenience init(limits: Limits = Limits()) {
    self.init(limits: limits) { Date() }
  }

  /// An empty jar with another clock.
  init(limits: Limits = Limits(), clock: @escaping @Sendable () -> Date) {
    self.limits = limits
    self.clock = clock
  }

  // MARK: Responses and requests

  /// Stores the cookies that a response sets. Cookies that are refused are ignored.
  ///
  /// - Parameters:
  ///   - head: The head of the response.
  ///   - url: The URL that sent the response.
  public func store(_ head: ResponseHead, from url: URL) {
    store(head, from: CookieTarget(url))
  }

  /// Stores the cookies that a response sets, with the target of its request.
  func store(_ head: ResponseHead, from target: @autoclosure () -> CookieTarget?) {
    guard head.headers.contains(.setCookie), let target = target() else { return }
    let fields = head.headers[values: .setCookie]
    let now = clock()
    let cookies = fields.compactMap { try? Cookie($0, from: target, at: now) }
    store.withLock { store in
      for cookie in cookies where target.isSecure || !store.hidesSecure(cookie, at: now) {
        store.insert(cookie, limits: limits, at: now)
      }
    }
  }

  /// Returns the cookies for a request for a URL, in the order in which they would be sent.
  public func cookies(for url: URL) -> [Cookie] {
    guard let target = CookieTarget(url) else { return [] }
    let now = clock()
    return store.withLock { $0.cookies(for: target, at: now) }
  }

  /// Returns the `Cookie` field for a request that another library sends; `nil` without cookies. The cookies are marked
  /// as used.
  public func header(for url: URL) -> String? {
    let cookies = use(for: CookieTarget(url))
    return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
  }

  /// Returns the cookies for a request, and marks them as used. If the jar is empty, the target is not computed.
  func use(for target: @autoclosure () -> CookieTarget?) -> [Cookie] {
    store.withLock { store in
      guard store.count > 0, let target = target() else { return [] }
      let now = clock()
      let cookies = store.cookies(for: target, at: now)
      store.touch(cookies, at: now)
      return cookies
    }
  }

  // MARK: Contents

  /// All cookies that have not expired, the oldest first.
  public var cookies: [Cookie] {
    let now = clock()
    return store.withLock { $0.all(at: now) }
  }

  /// Whether the jar has no cookies, or only expired ones.
  public var isEmpty: Bool { cookies.isEmpty }

  /// Stores a cookie in place of one with the same name, domain, `isHostOnly` and path. An expired cookie only removes
  /// the other cookie.
  ///
  /// - Throws: `MartletError` with code `.cookieRefused` when a field cannot contain it, or no server could set it: for
  ///   example, a cookie for a whole public suffix.
  public func set(_ cookie: Cookie) throws(MartletError) {
    do {
      try cookie.check()
    } catch {
      throw .cookieRefused(cookie.name, error)
    }
    change { store, now in store.insert(cookie, limits: limits, at: now) }
  }

  /// Removes the cookie with the same name, domain, `isHostOnly` and path as `cookie`.
  public func remove(_ cookie: Cookie) {
    change { store, _ in _ = store.remove(cookie.key) }
  }

  /// Removes the cookies for which `isUnwanted` returns true. The closure is called under a lock: it must be quick, and
  /// must not use the jar.
  public func removeAll(where isUnwanted: (Cookie) throws -> Bool) rethrows {
    try store.withLock { try $0.removeAll(where: isUnwanted) }
  }

  /// Removes all cookies.
  public func removeAll() {
    change { store, _ in store = CookieStore() }
  }

  /// Removes the session cookies: those without an expiry date.
  public func removeSessionCookies() {
    removeAll { $0.expires == nil }
  }

  /// The time by the jar's clock.
  var now: Date { clock() }

  /// Changes the cookies atomically.
  func change<Result>(_ change: (inout CookieStore, Date) -> Result) -> Result {
    let now = clock()
    return store.withLock { change(&$0, now) }
  }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
  /// The jar as text, such as `<CookieJar: 3 cookies>`.
  public var description: String {
    let count = cookies.count
    return "<CookieJar: \(count == 1 ? "1 cookie" : "\(count) cookies")>"
  }

  /// An empty mirror, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
