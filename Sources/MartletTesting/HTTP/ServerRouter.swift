public import HTTPTypes

/// A list of routes, of which the first that matches answers the request.
public struct ServerRouter: Sendable {
  /// The routes, in the order in which they are tried.
  public var routes: [ServerRoute]

  /// A router from its routes.
  public init(_ routes: [ServerRoute]) {
    self.routes = routes
  }

  /// Answers a request; an error becomes a response, too.
  ///
  /// The status is 404 when no route has the path, and 405 when routes have the path, but not for the method. `OPTIONS`
  /// is then answered with 200 and the methods allowed.
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
      ? .text("Nothing is here.\n", status: .notFound)
      : allowedMethodsResponse(to: request.method, allowed)
  }

  private func allowedMethodsResponse(
    to method: HTTPRequest.Method, _ allowed: Set<HTTPRequest.Method>
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
    of handler: ServerRoute.Handler, to request: ServerRequest
  ) async -> ServerResponse {
    do {
      return try await handler(request)
    } catch let error as RouteError {
      return .text(error.reason + "\n", status: error.status)
    } catch {
      return .text("The handler failed: \(error)\n", status: .internalServerError)
    }
  }
}

/// The requests that a router matches, and the handler that answers them.
///
///     ServerRoute.get("/hello/:name") { request in
///       .text("Hello, \(request.parameters["name"] ?? "world")!")
///     }
public struct ServerRoute: Sendable {
  /// Answers a request.
  public typealias Handler = @Sendable (ServerRequest) async throws -> ServerResponse

  let methods: Set<HTTPRequest.Method>
  let pattern: PathPattern
  let handler: Handler

  /// A route.
  ///
  /// - Parameters:
  ///   - methods: The methods to answer; `GET` includes `HEAD`. An empty list means all methods.
  ///   - path: Segments are matched as they are; `:name` matches any one segment, and `*` at the end
  ///     any number of them.
  ///   - handler: Answers the request.
  public init(_ methods: [HTTPRequest.Method], _ path: String, handler: @escaping Handler) {
    self.methods = Set(methods.contains(.get) ? methods + [.head] : methods)
    pattern = PathPattern(path)
    self.handler = handler
  }

  /// A route for `GET` and `HEAD`.
  public static func get(_ path: String, handler: @escaping Handler) -> ServerRoute {
    ServerRoute([.get], path, handler: handler)
  }

  /// A route for all methods.
  public static func any(_ path: String, handler: @escaping Handler) -> ServerRoute {
    ServerRoute([], path, handler: handler)
  }

  func accepts(_ method: HTTPRequest.Method) -> Bool {
    methods.isEmpty || methods.contains(method)
  }
}

/// A path with placeholders.
struct PathPattern: Sendable {
  private enum Segment: Sendable {
    case text(String)
    case parameter(String)
    case rest
  }

  private let segments: [Segment]

  init(_ path: String) {
    segments = Self.split(path).map { segment in
      switch segment.first {
      case ":": .parameter(String(segment.dropFirst()))
      case "*": .rest
      default: .text(String(segment))
      }
    }
  }

  /// The values of the placeholders, or `nil` when the path does not match.
  func match(_ path: String) -> [String: String]? {
    var given = Self.split(path)[...]
    var parameters: [String: String] = [:]
    for segment in segments {
      if case .rest = segment { return parameters }
      guard let next = given.popFirst() else { return nil }
      switch segment {
      case .text(let text): if text != next { return nil }
      case .parameter(let name): parameters[name] = FormCoding.decoded(next)
      case .rest: break
      }
    }
    return given.isEmpty ? parameters : nil
  }

  private static func split(_ path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
  }
}
