public import HTTPTypes
public import MartletCore

/// The verbs as async functions that return the response. A status that the response serializer does not accept is an
/// error; the content type does not matter.
///
/// `parameters` can be a dictionary literal with constants and variables, or `.encodable(value)` for any `Encodable`
/// value. The request serializer puts them into the query for GET, HEAD and DELETE by default, and into the body for the
/// others. A `body` takes the place of parameters in the body; the parameters are in the query then. `configure` changes the
/// request after all else is set. `progress` is called after each chunk of the response to a GET, and after each chunk of
/// the body of POST, PUT and PATCH, usually on an event loop: it must be quick.
///
///     let page = try await api.get("birds", parameters: ["q": query]) {
///       $0.options.timeoutInterval = .seconds(5)
///       $0.options.cachePolicy = .reloadIgnoringLocalCacheData
///     }
extension HTTPSessionManager {
  /// Sends a GET request.
  ///
  /// - Throws: `MartletError`; with code `.unacceptableStatusCode`, the response is its `response` and `body`.
  @discardableResult
  public func get(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Response {
    try await acceptableResponse(.get, path, parameters, nil, headers, progress, configure)
  }

  /// Sends a HEAD request.
  ///
  /// - Throws: `MartletError`; with code `.unacceptableStatusCode`, the response is its `response` and `body`.
  @discardableResult
  public func head(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    configure: RequestConfiguration = { _ in }
  ) async throws -> Response {
    try await acceptableResponse(.head, path, parameters, nil, headers, nil, configure)
  }

  /// Sends a POST request.
  ///
  /// - Throws: `MartletError`; with code `.unacceptableStatusCode`, the response is its `response` and `body`.
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil
  ) async throws -> Response {
    try await acceptableResponse(.post, path, parameters, body, headers, progress, configure)
  }

  /// Sends a PUT request.
  ///
  /// - Throws: `MartletError`; with code `.unacceptableStatusCode`, the response is its `response` and `body`.
  @discardableResult
  public func put(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil
  ) async throws -> Response {
    try await acceptableResponse(.put, path, parameters, body, headers, progress, configure)
  }

  /// Sends a PATCH request.
  ///
  /// - Throws: `MartletError`; with code `.unacceptableStatusCode`, the response is its `response` and `body`.
  @discardableResult
  public func patch(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil
  ) async throws -> Response {
    try await acceptableResponse(.patch, path, parameters, body, headers, progress, configure)
  }

  /// Sends a DELETE request.
  ///
  /// - Throws: `MartletError`; with code `.unacceptableStatusCode`, the response is its `response` and `body`.
  @discardableResult
  public func delete(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    configure: RequestConfiguration = { _ in }
  ) async throws -> Response {
    try await acceptableResponse(.delete, path, parameters, nil, headers, nil, configure)
  }

  /// Sends a request with any method, and returns the response, whatever its status.
  ///
  ///     let response = try await api.response(.options, "users/7")
  ///     if response.status != .notFound { try response.validate() }
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func response(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    body: RequestContent? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in }
  ) async throws -> Response {
    try await send(
      request(
        method, path, parameters: parameters, body: body, headers: headers, configure: configure))
  }
}

/// The verbs as async functions that return a value of your type.
///
/// The manager's response serializer checks the response. If its values are of this type, it also makes the value; for
/// other types, the manager's decoder does. A body of 16 KiB or more is not decoded on the caller's actor.
extension HTTPSessionManager {
  /// Sends a GET request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func get<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    as type: Value.Type = Value.self, configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await value(of: response(.get, path, parameters, nil, headers, progress, configure))
  }

  /// Sends a POST request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func post<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], as type: Value.Type = Value.self,
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await value(of: response(.post, path, parameters, body, headers, progress, configure))
  }

  /// Sends a PUT request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func put<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], as type: Value.Type = Value.self,
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await value(of: response(.put, path, parameters, body, headers, progress, configure))
  }

  /// Sends a PATCH request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func patch<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], as type: Value.Type = Value.self,
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await value(of: response(.patch, path, parameters, body, headers, progress, configure))
  }

  /// Sends a DELETE request and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func delete<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    as type: Value.Type = Value.self, configure: RequestConfiguration = { _ in }
  ) async throws -> Value {
    try await value(of: response(.delete, path, parameters, nil, headers, nil, configure))
  }

  /// Sends a request and decodes the response.
  ///
  ///     let user = try await api.send(request, as: User.self)
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func send<Value: Decodable & Sendable>(
    _ request: Request, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await value(of: send(request))
  }

  /// Calls a function of the API.
  ///
  /// - Throws: `MartletError`; a status that is not acceptable is an error.
  @discardableResult
  public func send<Value>(_ endpoint: Endpoint<Value>) async throws -> Value {
    try await endpoint.decode(self, send(request(for: endpoint)))
  }

  /// Returns the request that a function of the API sends.
  ///
  /// - Throws: `MartletError`; see ``request(_:_:parameters:body:headers:configure:)``.
  public func request<Value>(for endpoint: Endpoint<Value>) throws(MartletError) -> Request {
    try request(
      endpoint.method, endpoint.path, parameters: endpoint.parameters, body: endpoint.body,
      headers: endpoint.headers, configure: endpoint.configure)
  }
}

/// The verbs as async functions that return the value of a response serializer, in place of the manager's own.
///
///     let menu = try await api.get("menu", with: XMLDocumentResponseSerializer())
extension HTTPSessionManager {
  /// Sends a GET request, and returns what `serializer` makes of the response.
  ///
  /// - Throws: `MartletError`, which is usually that of the serializer.
  public func get<Value>(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    with serializer: some ResponseSerializing<Value>, configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await serializer.value(
      of: response(.get, path, parameters, nil, headers, progress, configure))
  }

  /// Sends a POST request, and returns what `serializer` makes of the response.
  ///
  /// - Throws: `MartletError`, which is usually that of the serializer.
  public func post<Value>(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], with serializer: some ResponseSerializing<Value>,
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await serializer.value(
      of: response(.post, path, parameters, body, headers, progress, configure))
  }

  /// Sends a PUT request, and returns what `serializer` makes of the response.
  ///
  /// - Throws: `MartletError`, which is usually that of the serializer.
  public func put<Value>(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], with serializer: some ResponseSerializing<Value>,
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await serializer.value(
      of: response(.put, path, parameters, body, headers, progress, configure))
  }

  /// Sends a PATCH request, and returns what `serializer` makes of the response.
  ///
  /// - Throws: `MartletError`, which is usually that of the serializer.
  public func patch<Value>(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], with serializer: some ResponseSerializing<Value>,
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await serializer.value(
      of: response(.patch, path, parameters, body, headers, progress, configure))
  }

  /// Sends a DELETE request, and returns what `serializer` makes of the response.
  ///
  /// - Throws: `MartletError`, which is usually that of the serializer.
  public func delete<Value>(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    with serializer: some ResponseSerializing<Value>, configure: RequestConfiguration = { _ in }
  ) async throws -> Value {
    try await serializer.value(
      of: response(.delete, path, parameters, nil, headers, nil, configure))
  }
}

/// The common implementation of the async verbs.
extension HTTPSessionManager {
  /// Sends a request and returns the response, acceptable or not.
  private func response(
    _ method: HTTPRequest.Method, _ path: String, _ parameters: Parameters?,
    _ body: RequestContent?,
    _ headers: RequestHeaders, _ progress: TransferProgress.Handler?,
    _ configure: RequestConfiguration
  ) async throws -> Response {
    let request = try request(
      method, path, parameters: parameters, body: body, headers: headers, configure: configure)
    return try await response(to: request, progress)
  }

  /// Sends a request and returns the response, acceptable or not.
  private func response(
    to request: Request, _ progress: TransferProgress.Handler?
  ) async throws -> Response {
    guard let progress else { return try await session.send(request) }
    return try await session.send(request) { call in
      if request.method == .get {
        call.observeDownload(progress)
      } else {
        call.observeUpload(progress)
      }
    }
  }

  /// Sends a request and returns the response if its status is acceptable. The body of another response does not become
  /// a file.
  private func acceptableResponse(
    _ method: HTTPRequest.Method, _ path: String, _ parameters: Parameters?,
    _ body: RequestContent?,
    _ headers: RequestHeaders, _ progress: TransferProgress.Handler?,
    _ configure: RequestConfiguration
  ) async throws -> Response {
    var request = try request(
      method, path, parameters: parameters, body: body, headers: headers, configure: configure)
    if request.delivery.isToFile {
      request.delivery.limit(to: responseSerializer.acceptableStatusCodes)
    }
    return try await acceptable(response(to: request, progress))
  }

  /// Returns the response if its status is acceptable.
  @inline(never)
  func acceptable(_ response: Response) async throws -> Response {
    // Not inlined, because its variables would be in the frame of each caller while that waits for the response.
    guard let statuses = responseSerializer.acceptableStatusCodes,
      !statuses.contains(response.status.code)
    else { return response }
    throw await response.unacceptable
  }

  /// Returns the value of a response.
  func value<Value: Decodable & Sendable>(of response: Response) async throws -> Value {
    let serializer = DecodableResponseSerializer<Value>(
      validator: responseSerializer, decoder: decoder)
    return try await serializer.value(of: response)
  }
}

extension Delivery {
  /// Streams the bodies of responses whose status is not among `statuses`, in place of writing them to a file.
  fileprivate mutating func limit(to statuses: Set<Int>?) {
    guard let statuses, let handling = fixedHandling else { return }
    self = Delivery { head in statuses.contains(head.status.code) ? handling : .stream }
  }
}
