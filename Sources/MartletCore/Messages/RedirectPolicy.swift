/// Which redirects are followed, and how the next request differs from the last.
///
/// A plain value: it can be tested without a session.
///
/// | status | method and body |
/// |---|---|
/// | 301, 302 | `POST` becomes `GET` without a body, as browsers do (RFC 9110 §15.4.2, §15.4.3); others are kept |
/// | 303 | any method but `GET` and `HEAD` becomes `GET` without a body (§15.4.4) |
/// | 307, 308 | kept as they are (§15.4.8, §15.4.9) |
public struct RedirectPolicy: Hashable, Sendable {
  /// Whether redirects are followed at all. The default is true. If it is false, the redirect itself is the response.
  public var isEnabled = true
  /// The most redirects to follow for one request. The default is 20.
  public var limit = 20
  /// Whether a redirect may lead from https to http. The default is false: it is an error.
  public var allowsInsecure = false

  /// A policy with the documented defaults.
  public init() {}

  /// A policy that follows nothing.
  public static var disabled: RedirectPolicy {
    var policy = RedirectPolicy()
    policy.isEnabled = false
    return policy
  }
}
