public import MartletCore
public import MartletTransport

/// How a session connects, waits, and treats what comes back.
///
/// What is set here holds for every request of the session; a request's own options win.
@dynamicMemberLookup
public struct SessionConfiguration: Sendable {
  /// How the engine connects, how long it waits, whom it trusts, and how much it accepts.
  ///
  /// Its parts are reached without naming it: `configuration.timeouts.connect = .seconds(5)`.
  public var httpTransportConfiguration = HTTPTransportConfiguration()
  /// The application's own interceptors. The default is none.
  public var interceptors = CustomInterceptors()
  /// Which redirects are followed. The default follows up to 20, none from https to http.
  public var redirectPolicy = RedirectPolicy()
  /// The credentials and tokens that requests may use. The default is none.
  public var authentication = AuthenticationConfiguration()
  /// How much compressed bodies may swell; `nil` asks for no compression. The default accepts 1 GiB
  /// in memory, and a hundred times the compressed size once a body is larger than 10 MiB.
  public var decompressionLimits: DecompressionInterceptor.Limits? =
    DecompressionInterceptor.Limits()
  /// Bodies of more bytes than this, or of an unknown number, ask the server's leave before they are sent,
  /// and wait at most a second for it (`Expect: 100-continue`, RFC 9110 §10.1.1): a server that refuses
  /// them need not be sent them. The default, `nil`, never asks; a request's own option does.
  public var expectContinueThreshold: Int64?
  /// Keeps cookies, and sends them along. The default is a jar of the configuration's own, in memory, which
  /// its copies share, and the sessions that are made with them; `nil` handles none.
  public var cookieJar: CookieJar? = CookieJar()
  /// Keeps responses for later requests. The default, `nil`, keeps none: a request with the policy
  /// `.returnCacheDataDontLoad` fails with code `.notCached` then.
  public var cache: (any ResponseCache)?
  /// Whom to trust. The default trusts whom the system trusts. It does not concern a `transport` of your own,
  /// and an `evaluator` in `tls` decides in its place (SES-A1).
  public var securityPolicy = SecurityPolicy()
  /// What sends the requests, in place of an engine of the session's own. The default is `nil`.
  public var transport: (any Transport)?

  /// A configuration with the documented defaults.
  public init() {}

  /// Reaches the parts of `httpTransportConfiguration`.
  public subscript<Value>(dynamicMember part: WritableKeyPath<HTTPTransportConfiguration, Value>)
    -> Value
  {
    get { httpTransportConfiguration[keyPath: part] }
    set { httpTransportConfiguration[keyPath: part] = newValue }
  }

  /// What an engine of the session's own is made with.
  var effectiveHTTPTransportConfiguration: HTTPTransportConfiguration {
    var engine = httpTransportConfiguration
    engine.tls.evaluator = evaluator(for: securityPolicy)
    return engine
  }

  /// Who decides about servers under a policy.
  func evaluator(for policy: SecurityPolicy) -> any TrustEvaluating {
    if let evaluator = httpTransportConfiguration.tls.evaluator { return evaluator }
    var policy = policy
    if httpTransportConfiguration.tls.acceptsAnyCertificate {
      // Pins hold all the same.
      policy.allowInvalidCertificates = true
      policy.validatesDomainName = false
    }
    return SessionTrustEvaluator(policy, roots: httpTransportConfiguration.tls.roots)
  }

  /// The way of every request of a session, from the top, with `transport` at the end.
  ///
  /// What a session does between a call and the wire is this list, and nothing else.
  func pipeline(over transport: any Transport) -> Pipeline {
    let hasOwnParts =
      !interceptors.perCall.isEmpty || !interceptors.perExchange.isEmpty || self.transport != nil
    let list: [[any Interceptor]] = [
      hasOwnParts ? [CancellationInterceptor()] : [],
      interceptors.perCall,
      [DeliveryInterceptor()],
      expectContinueThreshold.map { [ExpectationInterceptor(threshold: $0)] } ?? [],
      [DownloadInterceptor()],
      [HookInterceptor()],
      [RedirectInterceptor(redirectPolicy)],
      [AuthenticationInterceptor(authentication)],
      cookieJar.map { [CookieInterceptor($0)] } ?? [],
      [cache.map { CacheInterceptor($0) } ?? NoCacheInterceptor()],
      interceptors.perExchange,
      decompressionLimits.map { [DecompressionInterceptor($0)] } ?? [],
    ]
    return Pipeline(Array(list.joined()), transport: transport)
  }

  /// An application's own interceptors, and where they stand; in both places the first sees a request first.
  public struct CustomInterceptors: Sendable {
    /// At the top: they see one request for each call and its one response, whatever redirects, challenges and
    /// resumed downloads are between them. A retry belongs here. The default is none.
    public var perCall: [any Interceptor] = []
    /// Below the cache: they see every request that goes out, as it goes out but for `Accept-Encoding`, and every
    /// response that comes in. A signature belongs here. The default is none.
    public var perExchange: [any Interceptor] = []

    /// No interceptors.
    public init() {}
  }
}

/// A session's pipeline, with what is at its end.
///
/// A session that is reset makes a new one; its tasks keep to the one they were made with.
final class SessionPipeline: Sendable {
  /// The engine that sends the requests, if it is one.
  let engine: HTTPTransport?
  let pipeline: Pipeline

  init(_ configuration: SessionConfiguration) {
    let transport =
      configuration.transport ?? HTTPTransport(configuration.effectiveHTTPTransportConfiguration)
    engine = transport as? HTTPTransport
    pipeline = configuration.pipeline(over: transport)
  }
}

/// Has a task's cancellation reach interceptors and transports of the application's own.
///
/// The engine is cancelled through the call, they are through a Swift task alone; without any of them there is no
/// need for the task.
struct CancellationInterceptor: Interceptor {
  func send(_ request: Request, next: Next) async throws -> Response {
    let work = Task {
      try Task.checkCancellation()
      return try await next.send(request)
    }
    next.context.task?.setWork(work)
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}

/// Has large bodies ask the server's leave before they are sent (RFC 9110 §10.1.1).
struct ExpectationInterceptor: Interceptor {
  /// Bodies of more bytes than this ask, and those of an unknown number.
  let threshold: Int64

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    if request.body.length ?? .max > threshold { request.options.expectsContinue = true }
    return .passThrough
  }
}
