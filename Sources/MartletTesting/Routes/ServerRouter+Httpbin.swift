import HTTPTypes

extension ServerRouter {
  /// The routes of httpbin, and a few more. Some are missing, such as `/brotli`, `/forms/post` and `/image/webp`.
  ///
  /// httpbin's limits on the sizes of `/bytes`, `/stream-bytes` and `/range` do not apply: the body of
  /// `/bytes/1073741824` is sent chunk by chunk.
  public static func httpbin() -> ServerRouter {
    ServerRouter(
      pageRoutes + echoRoutes + statusRoutes + redirectRoutes + cookieRoutes + basicRoutes
        + digestRoutes(DigestNonces()) + conditionalRoutes + compressedRoutes + bytesRoutes
        + rangeRoutes + imageRoutes + textRoutes)
  }
}

extension ServerRouter {
  /// Routes that return the request as JSON.
  static let echoRoutes: [ServerRoute] = [
    .get("/get") { try .indentedJSON(Echo($0).message) },
    ServerRoute([.post], "/post") { try .indentedJSON(Echo($0).messageWithBody) },
    ServerRoute([.put], "/put") { try .indentedJSON(Echo($0).messageWithBody) },
    ServerRoute([.patch], "/patch") { try .indentedJSON(Echo($0).messageWithBody) },
    ServerRoute([.delete], "/delete") { try .indentedJSON(Echo($0).messageWithBody) },
    .any("/anything", handler: anything),
    .any("/anything/*", handler: anything),
    .get("/headers") { try .indentedJSON(["headers": Echo($0).headers]) },
    .get("/ip") { try .indentedJSON(["origin": $0.remoteAddress]) },
    .get("/user-agent") { try .indentedJSON(["user-agent": $0.headers[.userAgent] ?? ""]) },
  ]

  private static let anything: ServerRoute.Handler = { request in
    var object = Echo(request).messageWithBody
    object["method"] = request.method.rawValue
    return try .indentedJSON(object)
  }
}

extension ServerRouter {
  /// Routes that answer with a requested status or after a delay.
  static let statusRoutes: [ServerRoute] = [
    .any("/status/:codes") { request in
      let code = try StatusChoice(request.text("codes")).pick()
      var response = ServerResponse(
        HTTPResponse.Status(code: code), headers: [.contentType: "text/html; charset=utf-8"])
      response.headers.append(contentsOf: requiredFields(for: code))
      return response
    },
    .any("/delay/:seconds") { request in
      try await Task.sleep(for: ServerRequest.seconds(request.text("seconds")))
      return try .indentedJSON(Echo(request).messageWithBody)
    },
  ]

  /// The header field that a status requires.
  private static func requiredFields(for code: Int) -> HTTPFields {
    switch code {
    case 301, 302, 303, 307, 308: [.location: "/redirect/1"]
    case 401: [.wwwAuthenticate: "Basic realm=\"Fake Realm\""]
    case 407: [.proxyAuthenticate: "Basic realm=\"Fake Realm\""]
    default: [:]
    }
  }
}

/// One status, or several of which one is chosen at random: `200`, `200,500`, `200:0.9,500:0.1`.
struct StatusChoice {
  private let choices: [(code: Int, weight: Double)]

  init(_ text: String) throws {
    choices = try text.split(separator: ",").map { choice in
      let parts = choice.split(separator: ":", maxSplits: 1)
      // An interim status (1xx) would require a final one, which is never sent.
      guard let first = parts.first, let code = Int(first), (200...999).contains(code) else {
        throw RouteError.badRequest("“\(choice)” is not a status from 200 to 999.")
      }
      guard parts.count == 2 else { return (code, 1) }
      guard let weight = Double(parts[1]), weight >= 0, weight.isFinite else {
        throw RouteError.badRequest("“\(parts[1])” is not a weight.")
      }
      return (code, weight)
    }
    guard !choices.isEmpty else { throw RouteError.badRequest("The path contains no status.") }
  }

  func pick() -> Int {
    let total = choices.reduce(0) { $0 + $1.weight }
    guard total > 0, total.isFinite else { return choices[0].code }
    var left = Double.random(in: 0..<total)
    for choice in choices {
      left -= choice.weight
      if left < 0 { return choice.code }
    }
    return choices[choices.count - 1].code
  }
}

extension ServerRouter {
  /// Redirects that count down to `/get`, and one to the URL in the query.
  static let redirectRoutes: [ServerRoute] = [
    .get("/redirect/:n") { request in
      try countdown(request, isAbsolute: request.query("absolute")?.lowercased() == "true")
    },
    .get("/relative-redirect/:n") { try countdown($0, isAbsolute: false) },
    .get("/absolute-redirect/:n") { try countdown($0, isAbsolute: true) },
    .any("/redirect-to") { request in
      guard let url = request.query("url") else {
        throw RouteError.badRequest("The query item “url” is missing.")
      }
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

  /// A redirect, with a page for clients that do not follow it.
  static func redirect(
    to location: String, _ status: HTTPResponse.Status = .found
  ) throws -> ServerResponse {
    guard HTTPField.isValidValue(location) else {
      throw RouteError.badRequest("The URL is not a valid header field value.")
    }
    var response = ServerResponse.text(
      "<!doctype html>\n<title>Redirect</title>\n<p>Look elsewhere.</p>\n",
      type: "text/html; charset=utf-8", status: status)
    response.headers[.location] = location
    return response
  }
}

extension ServerRequest {
  /// Scheme and authority of the requested URL.
  fileprivate var base: String {
    String(url.dropLast(localTarget.count))
  }
}

extension ServerRouter {
  /// Routes that show, set and delete cookies.
  static let cookieRoutes: [ServerRoute] = [
    .get("/cookies") { request in
      let pairs = request.cookies.map { ($0.name, $0.value) }
      return try .indentedJSON(["cookies": Dictionary(pairs) { first, _ in first }])
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
        throw RouteError.badRequest("A cookie is not a valid header field value.")
      }
      response.headers.append(HTTPField(name: .setCookie, value: cookie))
    }
    return response
  }
}
