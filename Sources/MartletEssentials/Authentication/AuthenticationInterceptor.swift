public import MartletCore

/// Authenticates requests: in answer to a challenge, and in advance from then on.
///
/// A response of status 401 (RFC 9110 §15.5.2) that can be answered is never seen above: its body is discarded, and
/// the request sent once more. What may answer, in this order:
///
/// 1. the tokens for that server
/// 2. the user's name and password in the URL, which are taken out of it and are sent from the start
/// 3. the session's `onAuthenticationChallenge` hook
/// 4. the session's credentials
///
/// If the server refuses the refreshed token as well, its 401 is the response. If its challenges do not offer Bearer,
/// the other sources answer. An `Authorization` field that the caller has set goes out as it is; only when the server
/// refuses it are the last three asked. A refusal without an answer is the response, and says why in its
/// `authenticationError`. An answer to one server's challenge is never sent to another server.
public struct AuthenticationInterceptor: Interceptor {
  private let authentication: AuthenticationConfiguration

  /// An interceptor that answers with what `authentication` has.
  public init(_ authentication: AuthenticationConfiguration) {
    self.authentication = authentication
  }

  /// Sends the request, as often as its challenges can be answered.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.authenticationFailed` when a token cannot be refreshed or
  ///   the hook failed, `.cancelled` when the hook cancelled, or `.bodyNotReplayable`.
  public func send(_ request: Request, next: Next) async throws -> Response {
    var flow = try AuthenticationFlow(request, authentication, next.context)
    while true {
      let response = try await next.send(try await flow.request())
      if let answer = try await flow.response(after: response) { return answer }
    }
  }

  /// Passes the request through when there is no credential to send and no hook to call.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    let isIdle =
      context.hooks?.onAuthenticationChallenge == nil && !request.hasUserInfo
      && !authentication.isInUse
    return isIdle ? .passThrough : .callSend
  }
}

/// The credentials and tokens that a session may send.
///
/// Copies share what they hold: credentials, tokens, and what servers have asked for so far.
public struct AuthenticationConfiguration: Sendable {
  /// What challenges are answered with. The default is an empty store of the session's own.
  public var credentials = CredentialStore()
  /// Tokens, each for its own servers; of several for one server the first counts. The default is none.
  public var tokenProviders: [BearerTokenProvider] = []
  let cache = AuthenticatorCache()

  /// No credentials and no tokens.
  public init() {}

  /// Whether there may be anything to show.
  var isInUse: Bool { !tokenProviders.isEmpty || !cache.isEmpty || !credentials.isEmpty }
}
