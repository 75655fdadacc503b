public import HTTPTypes
import MartletCore

/// The verbs as async functions that return a value of your type.
///
/// The response is checked as the manager's response serializer would, then decoded with the manager's
/// decoder. A body of 16 KiB or more is decoded away from the caller's actor.
extension HTTPSessionManager {
  /// Sends a GET request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func get<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.get, path, parameters, headers)
  }

  /// Sends a GET request with parameters that encode themselves, and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func get<Value: Decodable & Sendable>(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.get, path, Parameters.given(parameters), headers)
  }

  /// Sends a POST request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func post<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.post, path, parameters, headers)
  }

  /// Sends a POST request with parameters that encode themselves, and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func post<Value: Decodable & Sendable>(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.post, path, Parameters.given(parameters), headers)
  }

  /// Sends a PUT request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func put<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.put, path, parameters, headers)
  }

  /// Sends a PUT request with parameters that encode themselves, and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func put<Value: Decodable & Sendable>(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.put, path, Parameters.given(parameters), headers)
  }

  /// Sends a PATCH request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func patch<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.patch, path, parameters, headers)
  }

  /// Sends a PATCH request with parameters that encode themselves, and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func patch<Value: Decodable & Sendable>(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.patch, path, Parameters.given(parameters), headers)
  }

  /// Sends a DELETE request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func delete<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.delete, path, parameters, headers)
  }

  /// Sends a DELETE request with parameters that encode themselves, and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func delete<Value: Decodable & Sendable>(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(.delete, path, Parameters.given(parameters), headers)
  }
}
