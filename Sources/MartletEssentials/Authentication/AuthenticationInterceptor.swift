public import MartletCore

/// Authenticates requests.
///
/// Tokens are sent in advance, and so are the credential of a request and the user name and password in a URL. Other
/// credentials, and those for Digest alone, are sent first in answer to a challenge, and from then on in advance.
///
/// A response of status 401 (RFC 9110 §15.5.2) that can be answered is not returned: its body is discarded, and the
/// request is sent again. The sources of an answer are, in this order:
///
/// 1. the credential of the request, which replaces its `Authorization` field, and is not used for other requests
/// 2. the tokens for that server, if the request has no credential
/// 3. the user name and password in the URL. They are removed from the URL. If there are no tokens, they are sent with
///    the first request
/// 4. the session's `onAuthenticationChallenge` hook
/// 5. the session's credentials
///
/// A token that the server refuses is refreshed once. If the server refuses the new token, too, its 401 is the
/// response. If the server refuses a token with challenges that do not include Bearer, the other sources are used. An
/// `Authorization` field that the caller has set is sent unchanged. The last three sources are used only if the server
/// refuses that field. A 401 that cannot be answered is the response. Its `authenticationError` is the reason, or `nil`
/// if the session had no token or credential for the challenge, or the hook rejected the challenge before a credential
/// was tried. An answer to one server's challenge is never sent to another server.
public struct AuthenticationInterceptor: Interceptor {
  private let authentication: AuthenticationConfiguration

  /// An interceptor that uses the credentials and tokens of `authentication`.
  public init(_ authentication: AuthenticationConfiguration) {
    self.authentication = authentication
  }

  /// Sends the request, and sends it again as long as its challenges can be answered.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.authenticationFailed` when a token cannot be refreshed,
  ///   `.cancelled`, `.bodyNotReplayable`, `.invalidHeader` for a token or credential that a field cannot contain, or
  ///   `.invalidURL` or `.unsupportedScheme`; the error with which the hook ends the task.
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
      && !request.hasExtras && !authentication.isInUse
    return isIdle ? .passThrough : .callSend
  }
}

/// The credentials and tokens that a session may send.
///
/// Copies share their credentials, their tokens, and the challenges that servers have sent so far.
public struct AuthenticationConfiguration: Sendable {
  /// The credentials that answer challenges. The default is an empty store, only for this session.
  public var credentials = CredentialStore()
  /// The tokens, each for its own servers. If there are several for one server, the first is used. The default is none.
  public var tokenProviders: [BearerTokenProvider] = []
  let cache = AuthenticatorCache()

  /// No credentials and no tokens.
  public init() {}

  /// Whether there may be a credential or a token to send.
  var isInUse: Bool { !tokenProviders.isEmpty || !cache.isEmpty || !credentials.isEmpty }
}
