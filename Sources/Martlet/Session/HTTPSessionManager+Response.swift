public import HTTPTypes
public import MartletCore

/// The verbs as async functions that return the response, whatever its status and type.
///
/// Where a function takes `parameters`, a dictionary literal of any nesting will do, and so will
/// anything that is `Encodable`. The request serializer puts them into the query for `GET`, `HEAD` and
/// `DELETE`, and into the body for the others.
extension HTTPSessionManager {
  /// Sends a GET request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func get(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.get, path, parameters, headers)
  }

  /// Sends a GET request with parameters that encode themselves.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func get(_ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.get, path, Parameters.given(parameters), headers)
  }

  /// Sends a HEAD request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func head(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.head, path, parameters, headers)
  }

  /// Sends a HEAD request with parameters that encode themselves.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func head(_ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.head, path, Parameters.given(parameters), headers)
  }

  /// Sends a POST request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func post(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.post, path, parameters, headers)
  }

  /// Sends a POST request with parameters that encode themselves.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func post(_ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.post, path, Parameters.given(parameters), headers)
  }

  /// Sends a PUT request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func put(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.put, path, parameters, headers)
  }

  /// Sends a PUT request with parameters that encode themselves.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func put(_ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.put, path, Parameters.given(parameters), headers)
  }

  /// Sends a PATCH request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func patch(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.patch, path, parameters, headers)
  }

  /// Sends a PATCH request with parameters that encode themselves.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func patch(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:]
  )
    async throws -> Response
  {
    try await response(.patch, path, Parameters.given(parameters), headers)
  }

  /// Sends a DELETE request.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func delete(_ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:])
    async throws -> Response
  {
    try await response(.delete, path, parameters, headers)
  }

  /// Sends a DELETE request with parameters that encode themselves.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func delete(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:]
  )
    async throws -> Response
  {
    try await response(.delete, path, Parameters.given(parameters), headers)
  }
}
