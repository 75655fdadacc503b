import HTTPTypes
public import MartletCore

/// Sends the cookies of a jar along, and keeps those that responses set: every response's, redirects and
/// challenges included.
///
/// A request that already has a `Cookie` field keeps what that says: of the jar's cookies those are added that
/// have other names, behind it and in the same field. Where `shouldHandleCookies` is false, nothing is added or
/// kept. Responses from a cache set nothing: they have done so when they arrived.
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

  /// Keeps what the response sets.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    if !response.isFromCache { keep(response.head, request) }
    return .passThrough
  }

  /// Keeps what a head has said, whatever becomes of the body.
  public func mapError(_ error: any Error, after request: Request, context: CallContext)
    -> any Error
  {
    if let head = (error as? MartletError)?.response { keep(head, request) }
    return error
  }

  private func keep(_ head: ResponseHead, _ request: Request) {
    jar.store(head, from: CookieTarget(request))
  }
}

extension HTTPFields {
  /// Adds cookies behind those that are there, as one field (RFC 6265bis §5.8.1), which no intermediary may
  /// put into a table (RFC 7541 §7.1.3). Names that are there already are left alone.
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
  /// What a pair calls its cookie; nothing, when it is all value.
  fileprivate var nameOfCookie: String {
    utf8.firstIndex(of: UInt8(ascii: "=")).map { utf8[..<$0].trimmingBlanks.text } ?? ""
  }
}
