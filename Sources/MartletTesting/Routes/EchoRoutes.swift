import HTTPTypes

extension Router {
  /// What was sent comes back as JSON.
  static let echoRoutes: [Route] = [
    .get("/get") { try .json(Echo($0).message) },
    Route([.post], "/post") { try .json(Echo($0).messageWithBody) },
    Route([.put], "/put") { try .json(Echo($0).messageWithBody) },
    Route([.patch], "/patch") { try .json(Echo($0).messageWithBody) },
    Route([.delete], "/delete") { try .json(Echo($0).messageWithBody) },
    .any("/anything", handler: anything),
    .any("/anything/*", handler: anything),
    .get("/headers") { try .json(["headers": Echo($0).headers]) },
    .get("/ip") { try .json(["origin": $0.remoteAddress]) },
    .get("/user-agent") { try .json(["user-agent": $0.headers[.userAgent] ?? ""]) },
  ]

  private static let anything: Route.Handler = { request in
    var object = Echo(request).messageWithBody
    object["method"] = request.method.rawValue
    return try .json(object)
  }
}
