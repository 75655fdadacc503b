import Foundation
import HTTPTypes

extension Router {
  /// Basic (RFC 7617) and bearer (RFC 6750) authentication.
  static let basicRoutes: [Route] = [
    .get("/basic-auth/:user/:password") { request in
      try authenticated(request) {
        ServerResponse(
          .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"Fake Realm\""])
      }
    },
    .get("/hidden-basic-auth/:user/:password") { request in
      try authenticated(request) { ServerResponse(.notFound) }
    },
    .get("/bearer") { request in
      guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else {
        return ServerResponse(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
      }
      return try .json(["authenticated": true, "token": String(field.dropFirst(7))])
    },
  ]

  private static func authenticated(
    _ request: ServerRequest, else refuse: () -> ServerResponse
  ) throws -> ServerResponse {
    let (user, password) = (request.text("user"), request.text("password"))
    guard let given = credentials(request), given == "\(user):\(password)" else { return refuse() }
    return try .json(["authenticated": true, "user": user])
  }

  private static func credentials(_ request: ServerRequest) -> String? {
    guard let field = request.headers[.authorization], field.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: field.dropFirst(6).trimmingCharacters(in: .whitespaces))
    else { return nil }
    return String(validating: data, as: UTF8.self)
  }
}
