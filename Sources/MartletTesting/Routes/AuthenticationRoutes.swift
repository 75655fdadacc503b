import EssentialFoundation
import HTTPTypes

extension ServerRouter {
  /// Basic (RFC 7617) and bearer (RFC 6750) authentication.
  static let basicRoutes: [ServerRoute] = [
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
      return try .indentedJSON(["authenticated": true, "token": String(field.dropFirst(7))])
    },
  ]

  private static func authenticated(
    _ request: ServerRequest, else failureResponse: () -> ServerResponse
  ) throws -> ServerResponse {
    let (user, password) = (request.text("user"), request.text("password"))
    guard let given = credentials(request), given == "\(user):\(password)" else {
      return failureResponse()
    }
    return try .indentedJSON(["authenticated": true, "user": user])
  }

  private static func credentials(_ request: ServerRequest) -> String? {
    guard let field = request.headers[.authorization], field.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: field.dropFirst(6).withoutOuterSpace)
    else { return nil }
    return String(validating: data, as: UTF8.self)
  }
}

extension ServerRouter {
  /// Digest authentication (RFC 7616).
  ///
  /// `qop` is `auth`, `auth-int`, `none` for a challenge without it (RFC 2069), or anything else for both. The
  /// algorithm is `SHA-256`, `SHA-512`, or anything else for `MD5`. A nonce is stale after `stale` uses, or never for
  /// `never`. Unlike httpbin, this server does not accept a nonce count twice.
  static func digestRoutes(_ nonces: DigestNonces) -> [ServerRoute] {
    let handler: ServerRoute.Handler = { try DigestCheck($0, nonces: nonces).response() }
    return [
      .any("/digest-auth/:qop/:user/:password", handler: handler),
      .any("/digest-auth/:qop/:user/:password/:algorithm", handler: handler),
      .any("/digest-auth/:qop/:user/:password/:algorithm/:stale", handler: handler),
    ]
  }
}

/// One request to a resource that requires Digest authentication.
private struct DigestCheck {
  private static let realm = "martlet@example.org"

  private let request: ServerRequest
  private let nonces: DigestNonces
  private let algorithm: DigestAlgorithm
  private let usesPerNonce: Int

  init(_ request: ServerRequest, nonces: DigestNonces) throws {
    self.request = request
    self.nonces = nonces
    algorithm = DigestAlgorithm(rawValue: request.text("algorithm")) ?? .md5
    let stale = request.parameters["stale"] ?? "never"
    usesPerNonce = stale == "never" ? .max : try request.integer("stale", in: 0...1_000_000)
  }

  func response() throws -> ServerResponse {
    guard let answer = DigestAnswer(request.headers[.authorization]) else {
      return challenge(isStale: false)
    }
    let isRight =
      answer.isValid(
        user: request.text("user"), password: request.text("password"), realm: Self.realm,
        algorithm: algorithm, request: request) && qualities.contains(answer["qop"])
    guard isRight else { return challenge(isStale: false) }
    // Without a count, as in RFC 2069, the client may send its answer again.
    let count = answer["nc"].isEmpty ? UInt64.random(in: 0 ... .max).description : answer["nc"]
    switch nonces.use(answer["nonce"], count: count, limit: usesPerNonce) {
    case .fresh: return try .indentedJSON(["authenticated": true, "user": request.text("user")])
    case .stale, .unknown: return challenge(isStale: true)
    }
  }

  /// The qualities of protection that the challenge offers; the empty one stands for RFC 2069.
  private var qualities: [String] {
    switch request.text("qop") {
    case "auth": ["auth"]
    case "auth-int": ["auth-int"]
    case "none": [""]
    default: ["auth", "auth-int"]
    }
  }

  private func challenge(isStale: Bool) -> ServerResponse {
    let offer = qualities.joined(separator: ",")
    let qop = offer.isEmpty ? "" : "qop=\"\(offer)\", "
    let challenge =
      "Digest realm=\"\(Self.realm)\", nonce=\"\(nonces.issue())\", \(qop)opaque=\"martlet\", "
      + "algorithm=\(algorithm.rawValue), stale=\(isStale ? "TRUE" : "FALSE")"
    return ServerResponse(.unauthorized, headers: [.wwwAuthenticate: challenge])
  }
}
