public import MartletCore
public import MartletTransport

/// The settings of a session: connections, time-outs, and the handling of responses.
///
/// They apply to every request of the session; a request's own options take precedence.
@dynamicMemberLookup
public struct SessionConfiguration: Sendable {
  /// The engine's settings: connections, time-outs, TLS, and limits.
  ///
  /// Its properties are accessible directly: `configuration.timeouts.connect = .seconds(5)`.
  public var httpTransportConfiguration = HTTPTransportConfiguration()
  /// The application's own interceptors. The default is none.
  public var interceptors = CustomInterceptors()
  /// Which redirects are followed. The default follows up to 20, but none from https to http.
  public var redirectPolicy = RedirectPolicy()
  /// The credentials and tokens that requests may use. The default is none.
  public var authentication = AuthenticationConfiguration()
  /// The limits on decompressed bodies. With `nil`, requests do not ask for compression, and no body is decompressed.
  /// The default accepts 1 GiB in memory, and at most 100 times the compressed size once a body is larger than 10 MiB.
  public var decompressionLimits: DecompressionInterceptor.Limits? =
    DecompressionInterceptor.Limits()
  /// The body size in bytes above which a request has `Expect: 100-continue` (RFC 9110 §10.1.1).
  ///
  /// A request whose body has an unknown length has it, too. The body waits at most one second for the server's answer,
  /// so that it need not be sent to a server that refuses the request. With the default, `nil`, only a request whose
  /// own option is set has it.
  public var expectContinueThreshold: Int64?
  /// Stores cookies, and adds them to requests. The default is a new jar in memory, which is shared by the copies of
  /// this configuration and by the sessions that are made with them. With `nil`, cookies are ignored.
  public var cookieJar: CookieJar? = CookieJar()
  /// Stores responses for later requests. The default, `nil`, stores none: a request with the policy
  /// `.returnCacheDataDontLoad` fails with code `.notCached` then.
  public var cache: (any ResponseCache)?
  /// How the cache is used: by one user or by several, offline, and under which keys. The default is a private cache.
  public var cacheOptions = CacheOptions()
  /// What is done about failures, such as sending requests again. The default is nothing.
  public var resilience = Resilience()
  /// Observe the calls and the connections: metrics, spans, logs, archives. The default is none.
  public var observers: [any SessionObserver] = []
  /// How server certificates are evaluated. The default uses the system's trust store. A custom `transport` does not
  /// use it, and an `evaluator` in `tls` takes its place (SES-A1).
  public var securityPolicy = SecurityPolicy()
  /// The transport that sends the requests, in place of the session's own engine. The default is `nil`.
  public var transport: (any Transport)?
  /// The names of the settings that were set when the configuration was archived, and that the archive does not contain,
  /// such as `transport`. It is empty for a configuration that was not decoded.
  public internal(set) var missingSettings: [String] = []

  /// A configuration with the documented defaults.
  public init() {}

  /// Accesses the properties of `httpTransportConfiguration`.
  public subscript<Value>(dynamicMember part: WritableKeyPath<HTTPTransportConfiguration, Value>)
    -> Value
  {
    get { httpTransportConfiguration[keyPath: part] }
    set { httpTransportConfiguration[keyPath: part] = newValue }
  }

  /// The configuration of the session's own engine.
  var effectiveHTTPTransportConfiguration: HTTPTransportConfiguration {
    var engine = httpTransportConfiguration
    engine.tls.evaluator = evaluator(for: securityPolicy)
    engine.connectionObserver = connectionObserver
    return engine
  }

  /// Returns the evaluator of server certificates for a policy.
  func evaluator(for policy: SecurityPolicy) -> any TrustEvaluating {
    if let evaluator = httpTransportConfiguration.tls.evaluator { return evaluator }
    var policy = policy
    if httpTransportConfiguration.tls.acceptsAnyCertificate {
      // Pins still apply.
      policy.allowInvalidCertificates = true
      policy.validatesDomainName = false
    }
    return SessionTrustEvaluator(policy, roots: httpTransportConfiguration.tls.roots)
  }

  /// Returns the pipeline of every request of a session, with `transport` at the end.
  ///
  /// This list, from the top, is all that a session does between a call and the transport.
  func pipeline(over transport: any Transport) -> Pipeline {
    let clock = resilience.clock
    let hasOwnParts =
      !interceptors.perCall.isEmpty || !interceptors.perExchange.isEmpty || self.transport != nil
    let list: [[any Interceptor]] = [
      hasOwnParts ? [CancellationInterceptor()] : [],
      interceptors.perCall,
      [RequestInterceptors()],
      [DeliveryInterceptor()],
      expectContinueThreshold.map { [ExpectationInterceptor(threshold: $0)] } ?? [],
      resilience.fallback.map { [FallbackInterceptor($0)] } ?? [],
      [RetryInterceptor(resilience.retry, timeouts: self.timeouts, clock: clock)],
      resilience.hedging.map { [HedgeInterceptor($0, clock: clock)] } ?? [],
      [DownloadInterceptor()],
      [HookInterceptor()],
      [RedirectInterceptor(redirectPolicy)],
      [AuthenticationInterceptor(authentication)],
      cookieJar.map { [CookieInterceptor($0)] } ?? [],
      decompressionLimits.map { [DecompressionInterceptor($0)] } ?? [],
      [cacheInterceptor ?? NoCacheInterceptor()],
      resilience.circuitBreaker.map { [CircuitBreakerInterceptor($0, clock: clock)] } ?? [],
      resilience.rateLimit.map { [RateInterceptor($0, timeouts: self.timeouts, clock: clock)] }
        ?? [],
      resilience.concurrencyLimit.map {
        [ConcurrencyInterceptor($0, timeouts: self.timeouts, clock: clock)]
      } ?? [],
      interceptors.perExchange,
      observers.isEmpty ? [] : [ObserverInterceptor()],
    ]
    return Pipeline(Array(list.joined()), transport: transport)
  }

  /// The engine's own observer, and those of the session.
  private var connectionObserver: (@Sendable (Origin) -> ConnectionChange.Observer?)? {
    let own = httpTransportConfiguration.connectionObserver
    guard !observers.isEmpty else { return own }
    return { [observers] origin in
      let used =
        observers.compactMap { $0.connectionObserver(of: origin) }
        + [own?(origin)].compactMap { $0 }
      guard used.count > 1 else { return used.first }
      return { change in for observe in used { observe(change) } }
    }
  }

  private var cacheInterceptor: (any Interceptor)? {
    cache.map { CacheInterceptor($0, cacheOptions, over: ConnectionSettings(self)) }
  }

  /// An application's own interceptors, at two positions of the pipeline. The first of a list sees a request first.
  public struct CustomInterceptors: Sendable {
    /// At the top: they see one request and one response for each call, however many redirects, challenges and
    /// resumptions and retries are needed. The default is none.
    public var perCall: [any Interceptor] = []
    /// Below the cache: they see every request that is sent, complete except for the fields that the engine adds, and
    /// every response that is received, its body with the content coding of the server. A signature belongs here. The
    /// default is none.
    public var perExchange: [any Interceptor] = []

    /// No interceptors.
    public init() {}
  }
}

/// A session's pipeline and its engine.
///
/// A session that is reset makes a new object of this type. A task keeps the pipeline that it was made with.
final class SessionPipeline: Sendable {
  /// The transport at the end of the pipeline, if it is an `HTTPTransport`.
  let engine: HTTPTransport?
  let pipeline: Pipeline
  private let configuration: SessionConfiguration

  /// - Parameters:
  ///   - configuration: The configuration of the session.
  ///   - engines: The engines that the session has had.
  init(_ configuration: SessionConfiguration, engines: EngineGroup) {
    self.configuration = configuration
    let transport =
      configuration.transport
      ?? HTTPTransport(configuration.effectiveHTTPTransportConfiguration, in: engines)
    engine = transport as? HTTPTransport
    pipeline = configuration.pipeline(over: transport)
  }

  /// The session's cache, and others that the application has put into the pipeline.
  var caches: [CacheInterceptor] { pipeline.interceptors.compactMap { $0 as? CacheInterceptor } }

  /// Applies a security policy to all requests from now on.
  func setPolicy(_ policy: SecurityPolicy) {
    engine?.setTrustEvaluator(configuration.evaluator(for: policy))
    for cache in caches { cache.setPolicy(policy) }
  }
}

/// Passes a task's cancellation on to custom interceptors and transports.
///
/// The engine is cancelled through the call. Custom interceptors and transports are cancelled through a Swift task; a
/// pipeline that has none of them needs no such task.
struct CancellationInterceptor: Interceptor {
  func send(_ request: Request, next: Next) async throws -> Response {
    let work = Task {
      try Task.checkCancellation()
      return try await next.send(request)
    }
    let isOutermost = next.context.task?.beginWork(work) ?? false
    defer { if isOutermost { next.context.task?.endWork() } }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}

/// Makes requests with large bodies expect `100 Continue` before the body is sent (RFC 9110 §10.1.1).
struct ExpectationInterceptor: Interceptor {
  /// The body size in bytes above which a request does so. A request whose body has an unknown length does, too.
  let threshold: Int64

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    if request.body.length ?? .max > threshold { request.options.expectsContinue = true }
    return .passThrough
  }
}
