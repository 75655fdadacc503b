public import HTTPTypes
public import MartletCore

/// One function of an API: what is sent, and what is made of the response.
///
///     extension Endpoint<User> {
///       static func user(_ id: Int) -> Self { Self(.get, "users/\(id)") }
///     }
///     extension Endpoint<Void> {
///       static func rename(_ id: Int, to name: String) -> Self {
///         Self(.patch, "users/\(id)", parameters: ["name": name])
///       }
///     }
///
///     let user = try await api.send(.user(7))
///     try await api.send(.rename(7, to: "Ada"))
///
/// A test can look at its properties, and answer its method and path without a server.
public struct Endpoint<Value: Sendable>: Sendable {
  /// Changes one request after all else is set.
  public typealias Configuration = @Sendable (inout Request) throws -> Void
  typealias Decode = @Sendable (HTTPSessionManager, Response) async throws -> Value

  /// The method.
  public var method: HTTPRequest.Method
  /// A path relative to the base URL, or a whole URL.
  public var path: String
  /// What the request serializer puts into the query or the body; with a `body`, into the query.
  public var parameters: Parameters?
  /// The body.
  public var body: RequestContent?
  /// The fields that replace those that the serializer set.
  public var headers: RequestHeaders
  /// Changes the request after all else is set.
  public var configure: Configuration
  let decode: Decode

  private init(
    _ method: HTTPRequest.Method, _ path: String, _ parameters: Parameters?,
    _ body: RequestContent?,
    _ headers: RequestHeaders, _ configure: @escaping Configuration, decode: @escaping Decode
  ) {
    self.method = method
    self.path = path
    self.parameters = parameters
    self.body = body
    self.headers = headers
    self.configure = configure
    self.decode = decode
  }

  /// A function whose response is decoded by the manager.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: The parameters. The default is none.
  ///   - body: The body. The default is none.
  ///   - headers: The fields that replace those that the serializer set. The default is none.
  ///   - configure: Changes the request after all else is set. The default changes nothing.
  public init(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    body: RequestContent? = nil, headers: RequestHeaders = [:],
    configure: @escaping Configuration = { _ in }
  ) where Value: Decodable {
    self.init(method, path, parameters, body, headers, configure) { manager, response in
      try await manager.value(of: response)
    }
  }

  /// A function of whose response only the status matters.
  public init(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    body: RequestContent? = nil, headers: RequestHeaders = [:],
    configure: @escaping Configuration = { _ in }
  ) where Value == Void {
    self.init(method, path, parameters, body, headers, configure) { manager, response in
      _ = try await manager.acceptable(response)
    }
  }

  /// A function whose response is made into a value by a serializer.
  public init(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    body: RequestContent? = nil, headers: RequestHeaders = [:],
    with serializer: some ResponseSerializing<Value>,
    configure: @escaping Configuration = { _ in }
  ) {
    self.init(method, path, parameters, body, headers, configure) { _, response in
      try await serializer.value(of: response)
    }
  }
}
