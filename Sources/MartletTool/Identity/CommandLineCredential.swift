import EssentialFoundation
import MartletEssentials
import MartletCore

/// Who is there, and how servers are told.
enum CommandLineCredential: Codable, Equatable {
  /// Told at once.
  case basic(user: String, password: String)
  /// Told when the server asks, by Digest and in no other way.
  case digest(user: String, password: String)
  /// Told at once.
  case bearer(token: String)

  /// An identity as the command line has it.
  ///
  /// - Parameters:
  ///   - text: `user:password`, `user`, or a token.
  ///   - scheme: Which of them it is.
  ///   - prompt: Asks for the password of a user.
  /// - Throws: What `prompt` throws.
  init(
    _ text: String, _ scheme: AuthenticationOptions.Scheme,
    prompt: (String) throws(ToolFailure) -> String
  ) throws(ToolFailure) {
    guard scheme != .bearer else {
      self = .bearer(token: text)
      return
    }
    // Scalars, for an accent behind the colon would make another character of it.
    let parts = text.unicodeScalars.split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map { String($0) }
    let user = parts[0]
    let password = parts.count > 1 ? parts[1] : try prompt(user)
    self =
      scheme == .digest
      ? .digest(user: user, password: password) : .basic(user: user, password: password)
  }

  /// Has the server of a request told, and no other.
  ///
  /// - Throws: `MartletError` for a token that no header can hold.
  func apply(to request: inout Request, _ configuration: inout SessionConfiguration) throws {
    switch self {
    case .basic(let user, let password): request.url = request.url.naming(user, password)
    case .digest(let user, let password):
      request.url = request.url.naming(nil, nil)
      try configuration.authentication.credentials.set(
        .password(user: user, password: password, for: .digest), for: request.url)
    case .bearer(let token):
      request.url = request.url.naming(nil, nil)
      try request.headers.set(name: "Authorization", value: "Bearer \(token)")
    }
  }
}

extension URL {
  /// The URL with a user's name and password in place of those that it has.
  fileprivate func naming(_ user: String?, _ password: String?) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    parts.user = user
    parts.password = password
    return parts.url ?? self
  }
}

/// Warns once that a password goes out as Basic and without TLS, where everything on the way can read it.
///
/// It looks at requests as they are sent, so it does not matter where the password comes from.
final class ClearTextWarning: Sendable {
  private let isGiven = Locked(false)

  /// Prints the warning on standard error when a request of a call calls for it.
  func follow(_ call: Call) {
    call.observe { [isGiven] event in
      guard case .sending(let request, _, _) = event.kind, let text = Self.text(for: request),
        !isGiven.withLock({ isGiven in
          defer { isGiven = true }
          return isGiven
        })
      else { return }
      OutputHandle.error.note(text)
    }
  }

  /// The line for a request as it is sent; `nil` when it has no such password, or the server is on this machine.
  static func text(for request: Request) -> String? {
    guard request.headers[.authorization]?.lowercased().hasPrefix("basic ") == true,
      let origin = try? request.origin, !origin.isSecure, !origin.isLoopback
    else { return nil }
    return
      "martlet: warning: The password goes to \(origin) as Basic and without TLS, so that it can be read on the way: use https or --auth-type digest, or write --auth-type basic if that is meant."
  }
}
