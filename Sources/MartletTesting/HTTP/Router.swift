import HTTPTypes

/// A list of routes; the first that fits answers.
public struct Router: Sendable {
  /// The routes, in the order in which they are tried.
  public var routes: [Route]

  /// A router from its routes.
  public init(_ routes: [Route]) {
    self.routes = routes
  }

  /// Answers a request, whatever it is: errors become responses, too.
  ///
  /// 404 says that no route has this path, 405 that one has, but not for this method.
  public func response(to request: ServerRequest) async -> ServerResponse {
    let path = request.path
    var allowed: Set<HTTPRequest.Method> = []
    for route in routes {
      guard let parameters = route.pattern.match(path) else { continue }
      guard route.accepts(request.method) else {
        allowed.formUnion(route.methods)
        continue
      }
      var request = request
      request.parameters = parameters
      return await Self.response(of: route.handler, to: request)
    }
    return allowed.isEmpty
      ? .text("Nothing is here.\n", status: .notFound) : refusal(of: request.method, allowed)
  }

  private func refusal(
    of method: HTTPRequest.Method, _ allowed: Set<HTTPRequest.Method>
  ) -> ServerResponse {
    let list = allowed.union([.options]).map(\.rawValue).sorted().joined(separator: ", ")
    var response = ServerResponse()
    if method != .options {
      response = .text("The method may be one of \(list).\n", status: .methodNotAllowed)
    }
    response.headers[.allow] = list
    return response
  }

  private static func response(
    of handler: Route.Handler, to request: ServerRequest
  ) async -> ServerResponse {
    do {
      return try await handler(request)
    } catch let refusal as Refusal {
      return .text(refusal.reason + "\n", status: refusal.status)
    } catch {
      return .text("The handler failed: \(error)\n", status: .internalServerError)
    }
  }
}
