import EssentialFoundation
import MartletEssentials
import MartletCore

/// A credential of the command line, with its authentication scheme.
enum CommandLineCredential: Codable, Equatable {
  /// Sent with the first request, without a challenge.
  case basic(user: String, password: String)
  /// Sent in response to a Digest challenge, and to no other challenge.
  case digest(user: String, password: String)
  /// Sent with the first request, without a challenge.
  case bearer(token: String)

  /// The credential in the value of `--auth`.
  ///
  /// - Parameters:
  ///   - text: `user:password`, `user`, or a token.
  ///   - scheme: The authentication scheme.
  ///   - prompt: Asks for the password of a user, if `text` has none.
  /// - Throws: What `prompt` throws.
  init(
    _ text: String, _ scheme: AuthenticationOptions.Scheme,
    prompt: (String) throws(ToolFailure) -> String
  ) throws(ToolFailure) {
    guard scheme != .bearer else {
      self = .bearer(token: text)
      return
    }
    // By scalars: a combining accent after the colon would form another character with it.
    let parts = text.unicodeScalars.split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map { String($0) }
    let user = parts[0]
    let password = parts.count > 1 ? parts[1] : try prompt(user)
    self =
      scheme == .digest
      ? .digest(user: user, password: password) : .basic(user: user, password: password)
  }

  /// Adds the credential to a request or the session's configuration, for the request's server only.
  ///
  /// - Throws: `MartletError` for a token that is not valid in a header field, or a URL without a host.
  func apply(to request: inout Request, _ configuration: inout SessionConfiguration) throws {
    switch self {
    case .basic(let user, let password):
      request.url = request.url.withCredential(user: user, password: password)
    case .digest(let user, let password):
      request.url = request.url.withCredential(user: nil, password: nil)
      try configuration.authentication.credentials.set(
        .password(user: user, password: password, for: .digest), for: request.url)
    case .bearer(let token):
      request.url = request.url.withCredential(user: nil, password: nil)
      try request.headers.set(name: "Authorization", value: "Bearer \(token)")
    }
  }
}

extension URL {
  /// The URL with this user name and password instead of its own.
  fileprivate func withCredential(user: String?, password: String?) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    parts.user = user
    parts.password = password
    return parts.url ?? self
  }
}

/// The warning that a password is sent by Basic and without TLS, so that it can be read on the way.
///
/// It is for the requests as they are sent, so that it covers passwords from every source.
enum ClearTextWarning {
  /// The warning for a request; `nil` if the request has no password for Basic or is sent over TLS, or if the server is
  /// on this machine.
  static func text(for request: Request) -> String? {
    guard request.headers[.authorization]?.lowercased().hasPrefix("basic ") == true,
      let origin = try? request.origin, !origin.isSecure, !origin.isLoopback
    else { return nil }
    return
      "martlet: warning: The password is sent to \(origin) by Basic and without TLS, so it can be read on the way: use https or --auth-type digest, or write --auth-type basic to send it without this warning."
  }
}
