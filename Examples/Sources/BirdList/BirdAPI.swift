import Martlet

/// A bird of the list.
struct Bird: Decodable, Sendable {
  var name: String
  /// In centimetres.
  var wingspan: Int
}

/// The user who is signed in.
struct User: Decodable, Sendable {
  var name: String
}

/// What the server returns for a user name and a password.
struct AccessToken: Decodable, Sendable {
  var token: String
}

extension Endpoint<AccessToken> {
  /// Exchanges a user name and a password for a token.
  static func signIn(user: String, password: String) throws -> Self {
    Self(.post, "session", body: try .json(["user": user, "password": password]))
  }
}

extension Endpoint<User> {
  /// The user of the token.
  static var user: Self { Self(.get, "user") }
}
