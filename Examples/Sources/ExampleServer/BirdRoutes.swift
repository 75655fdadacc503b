import Foundation
import Martlet
import MartletTesting
import Synchronization

/// An API with tokens and pages, for BirdList.
final class BirdRoutes: Sendable {
  /// A token expires after this many requests.
  private static let uses = 3
  private static let birds = [
    Bird(name: "Andean condor", wingspan: 320), Bird(name: "Arctic tern", wingspan: 80),
    Bird(name: "Barn swallow", wingspan: 33), Bird(name: "Common swift", wingspan: 44),
    Bird(name: "Goldcrest", wingspan: 15), Bird(name: "Grey heron", wingspan: 185),
    Bird(name: "House martin", wingspan: 29), Bird(name: "Northern gannet", wingspan: 175),
    Bird(name: "Sand martin", wingspan: 28), Bird(name: "Wandering albatross", wingspan: 330),
  ]

  private struct Bird: Encodable {
    var name: String
    var wingspan: Int
  }

  private struct Login: Decodable {
    var user: String
    var password: String
  }

  /// The number of requests that each token may still be used for.
  private let tokens = Mutex<[String: Int]>([:])

  var list: [ServerRoute] {
    [
      ServerRoute([.post], "/session", handler: signIn),
      .get("/user") { [self] in try answer($0) { _ in try .json(["name": "Ada"]) } },
      .get("/birds") { [self] in try answer($0, Self.page) },
    ]
  }

  private func signIn(_ request: ServerRequest) throws -> ServerResponse {
    let login = try JSONDecoder().decode(Login.self, from: Data(request.body.readableBytesView))
    guard login.user == "ada", login.password == "secret" else {
      return try problem("The user name or the password is wrong.")
    }
    let token = UUID().uuidString
    tokens.withLock { $0[token] = Self.uses }
    return try .json(["token": token])
  }

  /// Answers a request that has a valid token.
  private func answer(
    _ request: ServerRequest, _ handler: (ServerRequest) throws -> ServerResponse
  ) throws -> ServerResponse {
    let token = request.headers[.authorization]?.split(separator: " ").last.map(String.init) ?? ""
    let isValid = tokens.withLock { tokens in
      tokens[token, default: 0] -= 1
      return tokens[token, default: 0] >= 0
    }
    return try isValid ? handler(request) : problem("The token has expired.")
  }

  /// A page of the list, with a link to the next one (RFC 8288).
  private static func page(_ request: ServerRequest) throws -> ServerResponse {
    let limit = request.query("limit").flatMap { Int($0) } ?? 10
    let offset = request.query("offset").flatMap { Int($0) } ?? 0
    var response = try ServerResponse.json(Array(birds.dropFirst(offset).prefix(limit)))
    if offset + limit < birds.count {
      try response.headers.set(
        name: "Link", value: "<?limit=\(limit)&offset=\(offset + limit)>; rel=next")
    }
    return response
  }

  /// A status 401 with an explanation (RFC 9457).
  private func problem(_ detail: String) throws -> ServerResponse {
    var response = try ServerResponse.json(["detail": detail], status: .unauthorized)
    response.headers[.contentType] = "application/problem+json"
    response.headers[.wwwAuthenticate] = "Bearer"
    return response
  }
}
