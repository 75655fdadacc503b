import HTTPTypes

extension Router {
  /// Cookies, shown, set and deleted.
  static let cookieRoutes: [Route] = [
    .get("/cookies") { request in
      let pairs = request.cookies.map { ($0.name, $0.value) }
      return try .json(["cookies": Dictionary(pairs) { first, _ in first }])
    },
    .get("/cookies/set") { request in
      try cookies(request.query.map { "\($0.name)=\($0.value); Path=/" }, request)
    },
    .get("/cookies/set/:name/:value") { request in
      try cookies(["\(request.text("name"))=\(request.text("value")); Path=/"], request)
    },
    .get("/cookies/delete") { request in
      try cookies(
        request.query.map {
          "\($0.name)=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/"
        }, request)
    },
  ]

  private static func cookies(
    _ cookies: [String], _ request: ServerRequest
  ) throws -> ServerResponse {
    var response = try redirect(to: "/cookies")
    for cookie in cookies {
      guard HTTPField.isValidValue(cookie) else {
        throw Refusal.badRequest("A cookie cannot stand in a header.")
      }
      response.headers.append(HTTPField(name: .setCookie, value: cookie))
    }
    return response
  }
}
