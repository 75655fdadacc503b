import Foundation
import Martlet

/// Who is there, and how servers are told.
enum Identity: Codable, Equatable {
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
    _ text: String, _ scheme: IdentityOptions.Scheme,
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
