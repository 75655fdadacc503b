public import HTTPTypes
public import MartletCore

/// The verbs as async functions that return the response, whatever its status and type.
///
/// `parameters` can be a dictionary literal with constants and variables, or `.encodable(value)` for any `Encodable`
/// value. The request serializer puts them into the query for `GET`, `HEAD` and `DELETE` by default, and into the body
/// for the others.
extension HTTPSessionManager {
  /// Sends a GET request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func get(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.get, path, parameters, headers)
  }

  /// Sends a HEAD request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func head(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.head, path, parameters, headers)
  }

  /// Sends a POST request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func post(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.post, path, parameters, headers)
  }

  /// Sends a PUT request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func put(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.put, path, parameters, headers)
  }

  /// Sends a PATCH request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func patch(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.patch, path, parameters, headers)
  }

  /// Sends a DELETE request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func delete(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.delete, path, parameters, headers)
  }
}

/// The verbs as async functions that return a value of your type.
///
/// The manager's response serializer checks the response, then the manager's decoder decodes it. A body of 16 KiB or
/// more is not decoded on the caller's actor.
extension HTTPSessionManager {
  /// Sends a GET request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func get<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.get, path, parameters, headers)
  }

  /// Sends a POST request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func post<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.post, path, parameters, headers)
  }

  /// Sends a PUT request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func put<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.put, path, parameters, headers)
  }

  /// Sends a PATCH request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func patch<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.patch, path, parameters, headers)
  }

  /// Sends a DELETE request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func delete<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.delete, path, parameters, headers)
  }
}

/// The common implementation of the async verbs.
extension HTTPSessionManager {
  /// Sends a request and returns the response, acceptable or not.
  func response(
    _ method: HTTPRequest.Method, _ path: String, _ parameters: Parameters?, _ headers: HTTPFields
  ) async throws -> Response {
    try await send(request(method, path, parameters: parameters, headers: headers))
  }

  /// Sends a request and decodes the response.
  func value<Value: Decodable & Sendable>(
    _ method: HTTPRequest.Method, _ path: String, _ parameters: Parameters?, _ headers: HTTPFields
  ) async throws -> Value {
    try await value(of: response(method, path, parameters, headers))
  }

  /// Decodes a response.
  func value<Value: Decodable & Sendable>(of response: Response) async throws -> Value {
    let serializer = DecodableResponseSerializer<Value>(
      validator: responseSerializer, decoder: decoder)
    return try await serializer.value(of: response)
  }
}
