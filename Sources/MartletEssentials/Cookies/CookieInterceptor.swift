import HTTPTypes
public import MartletCore

/// Adds the cookies of a jar to requests, and stores the cookies that responses set, including redirects and
/// challenges.
///
/// The `Cookie` field that a request already has is kept. The jar's cookies with other names are appended to the same
/// field. If `shouldHandleCookies` is false, no cookies are added or stored. A response from a cache sets no cookies,
/// because they were stored when it arrived.
public struct CookieInterceptor: Interceptor {
  private let jar: CookieJar

  /// An interceptor with a jar.
  public init(_ jar: CookieJar) {
    self.jar = jar
  }

  /// Adds the cookies.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    guard request.options.shouldHandleCookies != false else { return .passThrough }
    let cookies = jar.use(for: CookieTarget(request))
    if !cookies.isEmpty { request.headers.add(cookies) }
    return .inspectResponse
  }

  /// Stores the cookies that the response sets.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    if !response.isFromCache { store(response.head, request) }
    return .passThrough
  }

  /// Stores the cookies of a response that failed after its head had arrived.
  public func mapError(_ error: any Error, after request: Request, context: CallContext)
    -> any Error
  {
    if let head = (error as? MartletError)?.response { store(head, request) }
    return error
  }

  private func store(_ head: ResponseHead, _ request: Request) {
    jar.store(head, from: CookieTarget(request))
  }
}

extension HTTPFields {
  /// Appends cookies to the existing ones, as one field (RFC 6265bis §5.8.1). No intermediary may put this field into a
  /// compression table (RFC 7541 §7.1.3). Cookies whose name exists already are not added.
  mutating func add(_ cookies: [Cookie]) {
    let own = self[values: .cookie]
    let names = Set(own.flatMap { $0.split(separator: ";") }.map(\.nameOfCookie))
    let added = cookies.filter { !names.contains($0.name) }
    guard !added.isEmpty else { return }
    let value = (own + added.map(\.pair)).joined(separator: "; ")
    var field = HTTPField(name: .cookie, value: value)
    field.indexingStrategy = .disallow
    self[fields: .cookie] = [field]
  }
}

extension Substring {
  /// The name in a cookie pair; empty when the pair has only a value.
  fileprivate var nameOfCookie: String {
    utf8.firstIndex(of: UInt8(ascii: "=")).map { utf8[..<$0].trimmingBlanks.text } ?? ""
  }
}
