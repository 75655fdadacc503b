import HTTPTypes
import MartletCore

/// Where the async verbs end.
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
