public import EssentialFoundation
public import HTTPTypes
public import MartletCore

/// Calls an HTTP API: turns a path and parameters into a request, and a response into a value.
///
///     let api = HTTPSessionManager(baseURL: URL(string: "https://api.example.com/v1")) {
///       $0.requestSerializer = JSONRequestSerializer()
///       $0.timeouts.connect = .seconds(5)
///     }
///     let user: User = try await api.get("users/7")
///
/// Every verb exists as an async function, which returns a `Response` or a value of your type, and as a function that
/// returns a task and calls closures.
///
/// Safe to use from any thread. Settings may be changed at any time: a request is made with the request serializer of
/// that time. A task uses the response serializer that was set when it was made. An async function that decodes uses
/// the response serializer and the decoder that are set when the response has arrived.
public final class HTTPSessionManager: Sendable {
  /// The URL that relative paths are resolved against, with a slash at the end of its path (HTM-1).
  public var baseURL: URL? { base?.url }
  /// The session that runs the tasks.
  public let session: URLSessionManager
  private let base: BaseURL?
  private let currentRequestSerializer: Locked<any HTTPRequestSerializing>
  private let currentDecoder: Locked<any DataDecoder>
  /// The problem of the policy that the manager was made with, until that policy is replaced; `nil` if there was no
  /// problem, so that no lock is needed.
  let policyProblem: Locked<MartletError?>?

  /// A manager.
  ///
  /// - Parameters:
  ///   - baseURL: The URL that relative paths are resolved against. The default is none: every path must be a
  ///     whole URL then.
  ///   - configure: Changes the defaults.
  /// - Throws: What `configure` throws.
  public convenience init(
    baseURL: URL? = nil, _ configure: (inout Configuration) throws -> Void
  ) rethrows {
    var configuration = Configuration()
    configuration.baseURL = baseURL
    try configure(&configuration)
    self.init(configuration)
  }

  /// A manager with a configuration.
  public init(_ configuration: Configuration) {
    base = configuration.baseURL.map { BaseURL($0) }
    policyProblem = configuration.policyProblem.map { Locked($0) }
    session = URLSessionManager(configuration: configuration.session)
    session.completionQueue = configuration.completionQueue
    session.responseSerializer = configuration.responseSerializer
    currentRequestSerializer = Locked(configuration.requestSerializer)
    currentDecoder = Locked(configuration.decoder)
  }

  /// A manager with the default configuration and serializers.
  ///
  /// - Parameter baseURL: The URL that relative paths are resolved against. The default is none: every path must
  ///   be a whole URL then.
  public convenience init(baseURL: URL? = nil) {
    self.init(baseURL: baseURL) { _ in }
  }

  /// A manager with the default serializers.
  ///
  /// - Parameters:
  ///   - baseURL: The URL that relative paths are resolved against; `nil` for none.
  ///   - configuration: The settings of the session.
  public convenience init(baseURL: URL?, configuration: SessionConfiguration) {
    self.init(baseURL: baseURL) { $0.session = configuration }
  }

  /// Returns a new manager with the same base URL, configuration, serializers and decoder (HTM-22). Tasks,
  /// hooks, queue and group are not copied.
  public func copy() -> HTTPSessionManager {
    var configuration = configuration
    configuration.completionQueue = nil
    return HTTPSessionManager(configuration)
  }

  /// The present settings.
  var configuration: Configuration {
    var configuration = Configuration()
    configuration.baseURL = baseURL
    configuration.session = session.configuration
    configuration.session.securityPolicy = securityPolicy
    configuration.requestSerializer = requestSerializer
    configuration.responseSerializer = responseSerializer
    configuration.decoder = decoder
    configuration.completionQueue = completionQueue
    return configuration
  }

  // MARK: Settings

  /// Builds requests.
  ///
  /// Replacing it is safe at any time. Changing a part of it is a read followed by a write: if several threads do so,
  /// use ``updateRequestSerializer(_:)``.
  public var requestSerializer: any HTTPRequestSerializing {
    get { currentRequestSerializer.current }
    set { currentRequestSerializer.withLock { $0 = newValue } }
  }

  /// Checks responses and makes objects of them. It is the session's serializer.
  public var responseSerializer: any HTTPResponseSerializing {
    get { session.responseSerializer }
    set { session.responseSerializer = newValue }
  }

  /// Changes the request serializer atomically, so that no concurrent change is lost (REQ-H5).
  ///
  ///     try api.updateRequestSerializer {
  ///       try $0.http.setValue(token, forHTTPHeaderField: "X-Token")
  ///     }
  ///
  /// - Parameter change: Called once, under a lock, before the function returns. It must not use the manager, and must
  ///   not wait. When it throws, the serializer is not changed.
  /// - Throws: What `change` throws.
  public func updateRequestSerializer(
    _ change: (inout any HTTPRequestSerializing) throws -> Void
  ) rethrows {
    try currentRequestSerializer.update(change)
  }

  /// Changes the response serializer atomically; see ``updateRequestSerializer(_:)``.
  ///
  /// - Parameter change: Called once, under a lock, before the function returns. It must not use the manager, and must
  ///   not wait. When it throws, the serializer is not changed.
  /// - Throws: What `change` throws.
  public func updateResponseSerializer(
    _ change: (inout any HTTPResponseSerializing) throws -> Void
  ) rethrows {
    try session.updateResponseSerializer(change)
  }

  /// Decodes typed results. Do not change the decoder's settings after you have set this property.
  public var decoder: any DataDecoder {
    get { currentDecoder.current }
    set { currentDecoder.withLock { $0 = newValue } }
  }

  /// The queue on which closures are called; `nil` is the main queue.
  public var completionQueue: DispatchQueue? {
    get { session.completionQueue }
    set { session.completionQueue = newValue }
  }

  /// How server certificates are evaluated. It is the session's policy.
  public var securityPolicy: SecurityPolicy { session.securityPolicy }

  /// Replaces the security policy; see ``URLSessionManager/securityPolicy``.
  ///
  /// - Parameter policy: The new policy. A policy that pins needs a base URL of the scheme `https` (HTM-9). A manager
  ///   that was made with a policy that pins, but without an `https` base URL, refuses all requests.
  /// - Throws: `MartletError` with code `.invalidSecurityPolicy`; the old policy is kept then.
  public func setSecurityPolicy(_ policy: SecurityPolicy) throws(MartletError) {
    if let problem = policy.problem(under: baseURL) { throw problem }
    session.securityPolicy = policy
    policyProblem?.withLock { $0 = nil }
  }

  // MARK: Requests

  /// Changes one request after all else is set: its time-outs, delivery, cache policy, header fields, credential,
  /// interceptors and other options.
  public typealias RequestConfiguration = (inout Request) throws -> Void

  /// Returns the request that a verb with these arguments sends.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: A path relative to the base URL, or a whole URL; empty for the base URL itself.
  ///   - parameters: What the request serializer puts into the query or the body; with a `body`, into the query. The
  ///     default is none.
  ///   - body: The body. Of the request serializer, only `http` is used then: default headers, options and queries. The
  ///     default is none.
  ///   - headers: The fields that replace those that the serializer set (HTM-11). The default is none.
  ///   - configure: Changes the request after all else is set. The default changes nothing.
  /// - Returns: The request.
  /// - Throws: `MartletError` with code `.invalidURL`, `.invalidHeader` or `.invalidSecurityPolicy`, or what the request
  ///   serializer and `configure` throw. An error of another type is the `underlying` of a `MartletError` with code
  ///   `.invalidParameters` or, for `configure`, `.invalidRequest`.
  public func request(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    body: RequestContent? = nil, headers: RequestHeaders = [:],
    configure: RequestConfiguration = { _ in }
  ) throws(MartletError) -> Request {
    try request(method, path, headers: headers, configure: configure) { serializer, plain in
      guard let body else { return try serializer.completed(plain, parameters: parameters) }
      return try serializer.completed(plain, parameters: parameters, body: body)
    }
  }

  /// Returns the request that `make` makes, given the serializer and a plain request, with `headers` set.
  func request(
    _ method: HTTPRequest.Method, _ path: String, headers: RequestHeaders,
    configure: RequestConfiguration,
    _ make: (any HTTPRequestSerializing, consuming Request) throws -> Request
  ) throws(MartletError) -> Request {
    if let problem = policyProblem?.current ?? nil { throw problem }
    var request =
      if let base { try base.request(method, path) } else {
        try BaseURL.wholeRequest(method, path)
      }
    do {
      request = try make(requestSerializer, consume request)
    } catch {
      throw error as? MartletError ?? .requestNotMade(error)
    }
    if !headers.isEmpty { try headers.apply(to: &request.headers) }
    do {
      try configure(&request)
    } catch {
      throw error as? MartletError ?? .requestNotConfigured(error)
    }
    return request
  }

  /// Sends a request and returns its response, whatever its status.
  ///
  /// - Throws: `MartletError`.
  public func send(_ request: Request) async throws -> Response {
    if let problem = policyProblem?.current ?? nil { throw problem }
    return try await session.send(request)
  }

  /// Refuses new requests, waits until the tasks under way are over, and closes the connections.
  ///
  /// See ``URLSessionManager/shutDown()``.
  public func shutDown() async {
    await session.shutDown()
  }

  /// The shared reachability manager, for convenience: a session neither starts nor uses it (RCH-14).
  public var reachabilityManager: NetworkReachabilityManager { .shared }
}

extension HTTPSessionManager {
  /// The configuration of a manager: serializers, and all settings of ``SessionConfiguration``.
  @dynamicMemberLookup
  public struct Configuration: Sendable {
    /// The URL that relative paths are resolved against. The default is none, or the base URL with which the manager is
    /// made.
    public var baseURL: URL?
    /// Builds requests. The default is ``HTTPRequestSerializer``.
    public var requestSerializer: any HTTPRequestSerializing = HTTPRequestSerializer()
    /// Checks responses and makes objects of them. The default is ``JSONResponseSerializer``.
    public var responseSerializer: any HTTPResponseSerializing = JSONResponseSerializer()
    /// Decodes typed results. The default is a plain `JSONDecoder`.
    public var decoder: any DataDecoder = JSONDecoder()
    /// The queue on which closures are called. The default, `nil`, is the main queue.
    public var completionQueue: DispatchQueue?
    /// The settings of the session.
    ///
    /// Its properties are accessible directly: `$0.timeouts.total = .seconds(30)`.
    public var session = SessionConfiguration()

    /// A configuration with the documented defaults.
    public init() {}

    /// The problem of the policy under the base URL.
    var policyProblem: MartletError? { session.securityPolicy.problem(under: baseURL) }

    /// Accesses the properties of `session`.
    public subscript<Value>(dynamicMember part: WritableKeyPath<SessionConfiguration, Value>)
      -> Value
    {
      get { session[keyPath: part] }
      set { session[keyPath: part] = newValue }
    }
  }
}

/// An archive of a manager contains its base URL, both serializers, the settings of its session and the security policy
/// (HTM-21). ``Configuration`` describes it.
extension HTTPSessionManager: Codable {
  /// The names of the settings that were set when the manager was archived, and that the archive does not contain, such
  /// as `transport` or `securityPolicy.evaluationOverride`. It is empty for a manager that was not decoded.
  ///
  ///     let api = try JSONDecoder().decode(HTTPSessionManager.self, from: archive)
  ///     guard api.missingSettings.isEmpty else { throw Incomplete(api.missingSettings) }
  public var missingSettings: [String] { session.configuration.missingSettings }

  /// A manager from an archive.
  ///
  /// - Throws: What the decoding of ``Configuration`` throws.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try Configuration(from: decoder))
  }

  /// Encodes the manager.
  ///
  /// - Throws: What the encoder and the serializers throw.
  public func encode(to encoder: any Encoder) throws {
    var configuration = configuration
    configuration.session.missingSettings += session.unarchivedSettings
    try configuration.encode(to: encoder)
  }
}

extension HTTPSessionManager: CustomStringConvertible, CustomReflectable {
  /// The manager as text, such as `<HTTPSessionManager baseURL: https://example.com/v1/>` (HTM-8).
  public var description: String { "<HTTPSessionManager baseURL: \(maskedBaseURL)>" }

  /// What debuggers show; the user information of the base URL is masked here, too.
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
