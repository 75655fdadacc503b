public import EssentialFoundation
public import MartletCore

/// Calls an HTTP API: turns a path and parameters into a request, and a response into a value.
///
///     let api = HTTPSessionManager(baseURL: URL(string: "https://api.example.com/v1")) {
///       $0.requestSerializer = JSONRequestSerializer()
///       $0.timeouts.connect = .seconds(5)
///     }
///     let user: User = try await api.get("users/7")
///
/// Every verb comes as an async function, which returns a `Response` or a value of your type, and as a
/// function that returns a task and calls closures. Safe to use from any thread; a request uses what
/// was set when it was made.
public final class HTTPSessionManager: Sendable {
  /// What relative paths are resolved against, with a slash at the end of its path (HTM-1).
  public var baseURL: URL? { base?.url }
  /// The session that runs the tasks.
  public let session: URLSessionManager
  private let base: BaseURL?
  private let currentRequestSerializer: Locked<any HTTPRequestSerializing>
  private let currentDecoder: Locked<any DataDecoder>
  /// What is wrong with the policy that the manager was made with, until it has another; other managers do not pay
  /// for a lock.
  let policyProblem: Locked<MartletError?>?

  /// A manager.
  ///
  /// - Parameters:
  ///   - baseURL: What relative paths are resolved against. The default is none: every path must be a
  ///     whole URL then.
  ///   - configure: Changes the defaults.
  /// - Throws: What `configure` throws.
  public init(baseURL: URL? = nil, _ configure: (inout Configuration) throws -> Void) rethrows {
    var configuration = Configuration()
    try configure(&configuration)
    base = baseURL.map { BaseURL($0) }
    policyProblem = configuration.session.securityPolicy.problem(under: baseURL).map { Locked($0) }
    session = URLSessionManager(configuration: configuration.session)
    session.completionQueue = configuration.completionQueue
    session.responseSerializer = configuration.responseSerializer
    currentRequestSerializer = Locked(configuration.requestSerializer)
    currentDecoder = Locked(configuration.decoder)
  }

  /// A manager with the default configuration and serializers.
  ///
  /// - Parameter baseURL: What relative paths are resolved against. The default is none: every path must
  ///   be a whole URL then.
  public convenience init(baseURL: URL? = nil) {
    self.init(baseURL: baseURL) { _ in }
  }

  /// A manager with the default serializers.
  ///
  /// - Parameters:
  ///   - baseURL: What relative paths are resolved against; `nil` for none.
  ///   - configuration: How the session connects, waits, and treats what comes back.
  public convenience init(baseURL: URL?, configuration: SessionConfiguration) {
    self.init(baseURL: baseURL) { $0.session = configuration }
  }

  /// A manager of its own, with the same base URL, configuration, serializers and decoder (HTM-22). Tasks,
  /// hooks, queue and group are not copied.
  public func copy() -> HTTPSessionManager {
    HTTPSessionManager(baseURL: baseURL) {
      $0.session = session.configuration
      $0.session.securityPolicy = securityPolicy
      $0.requestSerializer = requestSerializer
      $0.responseSerializer = responseSerializer
      $0.decoder = decoder
    }
  }

  // MARK: Settings

  /// Builds requests.
  ///
  /// Replacing it is safe at any time. Changing a part of it is a reading and a writing: where several
  /// threads do so, use ``updateRequestSerializer(_:)``.
  public var requestSerializer: any HTTPRequestSerializing {
    get { currentRequestSerializer.current }
    set { currentRequestSerializer.withLock { $0 = newValue } }
  }

  /// Checks responses and makes objects of them. It is the session's.
  public var responseSerializer: any HTTPResponseSerializing {
    get { session.responseSerializer }
    set { session.responseSerializer = newValue }
  }

  /// Changes the request serializer in one step, so that of many changes at once none is lost (REQ-H5).
  ///
  ///     try api.updateRequestSerializer {
  ///       try $0.http.setValue(token, forHTTPHeaderField: "X-Token")
  ///     }
  ///
  /// - Parameter change: Called once and at once, under a lock: it must not touch the manager,
  ///   nor wait. When it throws, nothing has changed.
  /// - Throws: What `change` throws.
  public func updateRequestSerializer(
    _ change: (inout any HTTPRequestSerializing) throws -> Void
  ) rethrows {
    try currentRequestSerializer.update(change)
  }

  /// Changes the response serializer in one step; see ``updateRequestSerializer(_:)``.
  ///
  /// - Parameter change: Called once and at once, under a lock: it must not touch the manager,
  ///   nor wait. When it throws, nothing has changed.
  /// - Throws: What `change` throws.
  public func updateResponseSerializer(
    _ change: (inout any HTTPResponseSerializing) throws -> Void
  ) rethrows {
    try session.updateResponseSerializer(change)
  }

  /// Decodes typed results. Set it up before you hand it over, and leave it alone from then on.
  public var decoder: any DataDecoder {
    get { currentDecoder.current }
    set { currentDecoder.withLock { $0 = newValue } }
  }

  /// Where closures are called; `nil` is the main queue.
  public var completionQueue: DispatchQueue? {
    get { session.completionQueue }
    set { session.completionQueue = newValue }
  }

  /// Whom to trust. It is the session's.
  public var securityPolicy: SecurityPolicy { session.securityPolicy }

  /// Replaces the security policy; see ``URLSessionManager/securityPolicy``.
  ///
  /// - Parameter policy: One that pins needs a base URL of the scheme `https` (HTM-9). A manager that was made
  ///   with one and has none refuses all requests.
  /// - Throws: `MartletError` with code `.invalidSecurityPolicy`; the old policy stays then.
  public func setSecurityPolicy(_ policy: SecurityPolicy) throws(MartletError) {
    if let problem = policy.problem(under: baseURL) { throw problem }
    session.securityPolicy = policy
    policyProblem?.withLock { $0 = nil }
  }

  // MARK: Requests

  /// The request that a verb with these arguments sends.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: A path relative to the base URL, or a whole URL; empty for the base URL itself.
  ///   - parameters: What the request serializer puts into the query or the body. The default is none.
  ///   - headers: Replace what the serializer set (HTM-11). The default is none.
  /// - Returns: The request.
  /// - Throws: `MartletError` with code `.invalidURL`, or what the request serializer throws; what is
  ///   no `MartletError` is the `underlying` of one with code `.invalidParameters`.
  public func request(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    headers: HTTPFields = [:]
  ) throws(MartletError) -> Request {
    try request(method, path, headers: headers) { serializer, plain in
      try serializer.completed(plain, parameters: parameters)
    }
  }

  /// The request that `make` makes of the serializer and a plain request, with `headers`.
  func request(
    _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields,
    _ make: (any HTTPRequestSerializing, Request) throws -> Request
  ) throws(MartletError) -> Request {
    if let problem = policyProblem?.current ?? nil { throw problem }
    let plain =
      if let base { try base.request(method, path) } else {
        try BaseURL.wholeRequest(method, path)
      }
    do {
      var request = try make(requestSerializer, plain)
      request.headers.replace(with: headers)
      return request
    } catch {
      throw error as? MartletError ?? .requestNotMade(error)
    }
  }

  /// Sends a request and returns its response, whatever its status.
  ///
  /// - Throws: `MartletError`.
  public func send(_ request: Request) async throws -> Response {
    if let problem = policyProblem?.current ?? nil { throw problem }
    return try await session.send(request)
  }
}

extension HTTPFields {
  /// Puts `fields` in place of all fields of the same names.
  fileprivate mutating func replace(with fields: HTTPFields) {
    guard !fields.isEmpty else { return }
    removeAll { fields.contains($0.name) }
    append(contentsOf: fields)
  }
}

extension HTTPSessionManager {
  /// What a manager is made with: serializers, and everything of ``SessionConfiguration``.
  @dynamicMemberLookup
  public struct Configuration: Sendable {
    /// Builds requests. The default is ``HTTPRequestSerializer``.
    public var requestSerializer: any HTTPRequestSerializing = HTTPRequestSerializer()
    /// Checks responses and makes objects of them. The default is ``JSONResponseSerializer``.
    public var responseSerializer: any HTTPResponseSerializing = JSONResponseSerializer()
    /// Decodes typed results. The default is a plain `JSONDecoder`.
    public var decoder: any DataDecoder = JSONDecoder()
    /// Where closures are called. The default, `nil`, is the main queue.
    public var completionQueue: DispatchQueue?
    /// How the session connects, waits, and treats what comes back.
    ///
    /// Its parts are reached without naming it: `$0.timeouts.total = .seconds(30)`.
    public var session = SessionConfiguration()

    /// A configuration with the documented defaults.
    public init() {}

    /// Reaches the parts of `session`.
    public subscript<Value>(dynamicMember part: WritableKeyPath<SessionConfiguration, Value>)
      -> Value
    {
      get { session[keyPath: part] }
      set { session[keyPath: part] = newValue }
    }
  }
}

extension HTTPSessionManager: CustomStringConvertible, CustomReflectable {
  /// The manager as text, such as `<HTTPSessionManager baseURL: https://example.com/v1/>` (HTM-8).
  public var description: String { "<HTTPSessionManager baseURL: \(maskedBaseURL)>" }

  /// What debuggers show; the user of the base URL is masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "baseURL": maskedBaseURL, "session": session, "requestSerializer": requestSerializer,
        "responseSerializer": responseSerializer,
      ], displayStyle: .class)
  }

  private var maskedBaseURL: String { baseURL?.absoluteString.withoutUserInfo ?? "none" }
}
