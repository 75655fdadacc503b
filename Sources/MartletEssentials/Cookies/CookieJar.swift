public import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Keeps the cookies that servers set, and knows which go with a request (RFC 6265bis).
///
/// Every session has one, in memory, unless its configuration says otherwise:
///
///     let api = HTTPSessionManager(baseURL: url) { -e.cookieJar = .shared }
///     api.session.configuration.cookieJar?.removeAll()
///
/// Any thread may use it at any time. ``CookieFile`` keeps it on disk.
public final class CookieJar: Sendable {
  /// How many cookies a jar keeps.
  public struct Limits: Hashable, Sendable {
    /// The most cookies with one domain. The default is 50.
    public var perDomain = 50
    /// The most cookies in all. The default is 3000.
    public var total = 3000

    /// Limits with the documented defaults.
    public init() {}
  }

  /// The jar of the program, for sessions that share their cookies.
  public static let shared = CookieJar()

  /// How many cookies are kept. Beyond that go those that have expired, then those of a domain that has too many,
  /// and then those that were not sent for longest.
  public let limits: Limits
  private let store = Locked(CookieStore())
  private let clock: @Sendable () -> Date

  /// An empty jar.
  ///
  /// - Parameter limits: How many cookies it keeps. The default has the documented defaults.
  public convenience init(limits: Limits = Limits()) {
    self.init(limits: limits) { Date() }
  }

  /// The same with a clock of one's own.
  init(limits: Limits = Limits(), clock: @escaping @Sendable () -> Date) {
    self.limits = limits
    self.clock = clock
  }

  // MARK: What servers set and get

  /// Keeps what a response sets; what is refused is passed over.
  ///
  /// - Parameters:
  ///   - head: The head of the response.
  ///   - url: The URL that answered with it.
  public func store(_ head: ResponseHead, from url: URL) {
    store(head, from: CookieTarget(url))
  }

  /// The same, with the part that the URL plays worked out.
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

  /// The cookies that a request for a URL would have, in the order in which they would be sent.
  public func cookies(for url: URL) -> [Cookie] {
    guard let target = CookieTarget(url) else { return [] }
    let now = clock()
    return store.withLock { $0.cookies(for: target, at: now) }
  }

  /// The value of the `Cookie` field of a request for a URL, for one that is sent by other means; `nil` when it
  /// has none. The cookies count as used.
  public func header(for url: URL) -> String? {
    let cookies = use(for: CookieTarget(url))
    return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
  }

  /// The cookies that a request is sent with. For an empty jar, the target is not even worked out.
  func use(for target: @autoclosure () -> CookieTarget?) -> [Cookie] {
    store.withLock { store in
      guard store.count > 0, let target = target() else { return [] }
      let now = clock()
      let cookies = store.cookies(for: target, at: now)
      store.touch(cookies, at: now)
      return cookies
    }
  }

  // MARK: What is there

  /// All cookies that have not expired, the oldest first.
  public var cookies: [Cookie] {
    let now = clock()
    return store.withLock { $0.all(at: now) }
  }

  /// Whether there are none.
  public var isEmpty: Bool { cookies.isEmpty }

  /// Keeps a cookie in place of one with the same name, domain and path. One that has expired removes that.
  ///
  /// - Throws: `MartletError` with code `.cookieRefused` when no field can hold it, or no server could set it:
  ///   one for all of a public suffix, for example.
  public func set(_ cookie: Cookie) throws(MartletError) {
    do {
      try cookie.check()
    } catch {
      throw .cookieRefused(cookie.name, error)
    }
    change { store, now in store.insert(cookie, limits: limits, at: now) }
  }

  /// Removes the cookie with the name, domain and path of this one.
  public func remove(_ cookie: Cookie) {
    change { store, _ in _ = store.remove(cookie.key) }
  }

  /// Removes the cookies that `isUnwanted` is true of; it is called under a lock, and must be quick.
  public func removeAll(where isUnwanted: (Cookie) throws -> Bool) rethrows {
    try store.withLock { try $0.removeAll(where: isUnwanted) }
  }

  /// Removes all cookies.
  public func removeAll() {
    change { store, _ in store = CookieStore() }
  }

  /// Removes the cookies that last as long as a session, for it is over.
  public func removeSessionCookies() {
    removeAll { $0.expires == nil }
  }

  /// What time it is for this jar.
  var now: Date { clock() }

  /// Changes what there is in one step.
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

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
