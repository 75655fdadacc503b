import HTTPTypes

extension Router {
  /// Redirects that count down to `/get`, and one to wherever the client likes.
  static let redirectRoutes: [Route] = [
    .get("/redirect/:n") { request in
      try countdown(request, isAbsolute: request.query("absolute")?.lowercased() == "true")
    },
    .get("/relative-redirect/:n") { try countdown($0, isAbsolute: false) },
    .get("/absolute-redirect/:n") { try countdown($0, isAbsolute: true) },
    .any("/redirect-to") { request in
      guard let url = request.query("url") else { throw Refusal.badRequest("There is no url.") }
      let code = try request.queryInteger("status_code", in: 300...399) ?? 302
      return try redirect(to: url, HTTPResponse.Status(code: code))
    },
  ]

  private static func countdown(
    _ request: ServerRequest, isAbsolute: Bool
  ) throws -> ServerResponse {
    let left = try request.integer("n", in: 1...1_000_000) - 1
    let path = left == 0 ? "/get" : "/\(isAbsolute ? "absolute" : "relative")-redirect/\(left)"
    return try redirect(to: isAbsolute ? request.base + path : path)
  }

  /// A redirect, with a page for those who do not follow it.
  static func redirect(
    to location: String, _ status: HTTPResponse.Status = .found
  ) throws -> ServerResponse {
    guard HTTPField.isValidValue(location) else {
      throw Refusal.badRequest("The url cannot stand in a header.")
    }
    var response = ServerResponse.text(
      "<!doctype html>\n<title>Redirect</title>\n<p>Look elsewhere.</p>\n",
      type: "text/html; charset=utf-8", status: status)
    response.headers[.location] = location
    return response
  }
}

extension ServerRequest {
  /// Scheme and authority of the URL that was asked for.
  fileprivate var base: String {
    String(url.dropLast(localTarget.count))
  }
}
