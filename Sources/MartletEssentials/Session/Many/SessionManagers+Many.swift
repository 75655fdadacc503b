import EssentialFoundation
public import MartletCore
public import MartletTransport

/// Sending at the lowest cost: many requests at once, or from the engine's own thread.
extension URLSessionManager {
  /// Sends many requests on the engine's own thread, a limited number of them at once.
  ///
  /// - Parameters:
  ///   - requests: The requests. They are taken one by one, so that a lazy sequence can make each when it is needed.
  ///   - maximumConcurrent: The largest number of requests under way at once, at least 1. The default is 64.
  /// - Returns: The outcomes in order of completion; `inOrder` has them in order of request.
  @inlinable
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    send(RequestSource(requests), maximumConcurrent: maximumConcurrent, refusing: nil)
  }

  /// The same; if there is a `reason`, every request fails with it.
  @usableFromInline
  func send(_ requests: RequestSource, maximumConcurrent: Int, refusing reason: MartletError?)
    -> ResponseBatch
  {
    let (runner, registry, sessionPipeline) = (runner, registry, runner.sessionPipeline)
    // No capture list: a closure that has one leaves the executor and returns to it, as `@concurrent` code does.
    return ResponseBatch(
      requests, limit: maximumConcurrent, on: sessionPipeline.engine
    ) { request in
      if let reason { throw reason }
      return try await runner.perform(registry.add(request), over: sessionPipeline)
    }
  }

  /// Runs `work` on the engine's own thread, so that its requests need no change of thread.
  ///
  /// See `HTTPTransport.runOnEventLoop(_:)`. A session with a custom transport that is not an `HTTPTransport` has no
  /// engine: `work` runs as it would without this function.
  ///
  /// - Parameter work: The work to run. It must not block its thread, nor compute for long.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  public func runOnEventLoop<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard let engine = runner.sessionPipeline.engine else { return try await work() }
    return try await engine.runOnEventLoop(work)
  }
}

extension HTTPSessionManager {
  /// Sends many requests on the engine's own thread, a limited number of them at once.
  ///
  ///     let requests = try (1...1000).map { try api.request(.get, "users/\($0)") }
  ///     for await outcome in api.send(requests, maximumConcurrent: 32) {
  ///       print(outcome.index, try outcome.response.status)
  ///     }
  ///
  /// - Parameters:
  ///   - requests: The requests. They are taken one by one, so that a lazy sequence can make each when it is needed.
  ///   - maximumConcurrent: The largest number of requests under way at once, at least 1. The default is 64.
  /// - Returns: The outcomes in order of completion; `inOrder` has them in order of request.
  @inlinable
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    send(RequestSource(requests), maximumConcurrent: maximumConcurrent)
  }

  @usableFromInline
  func send(_ requests: RequestSource, maximumConcurrent: Int) -> ResponseBatch {
    session.send(
      requests, maximumConcurrent: maximumConcurrent, refusing: policyProblem?.current ?? nil)
  }

  /// Sends many requests, and decodes their responses.
  ///
  /// - Parameters:
  ///   - requests: The requests. They are taken one by one, so that a lazy sequence can make each when it is needed.
  ///   - type: The type of the values. The default is inferred from the context.
  ///   - maximumConcurrent: The largest number of requests under way at once, at least 1. The default is 64.
  /// - Returns: The outcomes in order of completion; `inOrder` has them in order of request.
  public func send<Value: Decodable & Sendable>(
    _ requests: some Sequence<Request> & Sendable, as type: Value.Type = Value.self,
    maximumConcurrent: Int = 64
  ) -> ValueBatch<Value> {
    ValueBatch(send(requests, maximumConcurrent: maximumConcurrent)) { [self] response in
      try await value(of: response)
    }
  }

  /// Gets a value from each of many paths, a limited number of them at once.
  ///
  ///     let users: [User] = try await api.values(of: ids.map { "users/\($0)" }, maximumConcurrent: 8)
  ///
  /// - Parameters:
  ///   - paths: Paths relative to the base URL, or whole URLs.
  ///   - type: The type of the values. The default is inferred from the context.
  ///   - maximumConcurrent: The largest number of requests under way at once, at least 1. The default is 64.
  /// - Returns: The values, in the order of the paths.
  /// - Throws: The `MartletError` of the first path that fails; the requests under way are cancelled then.
  public func values<Value: Decodable & Sendable>(
    of paths: some Sequence<String>, as type: Value.Type = Value.self, maximumConcurrent: Int = 64
  ) async throws -> [Value] {
    let requests = try paths.map { try request(.get, $0) }
    var values: [Value] = []
    for await outcome in send(requests, as: type, maximumConcurrent: maximumConcurrent).inOrder {
      values.append(try outcome.value)
    }
    guard !Task.isCancelled else { throw MartletError.cancelled }
    return values
  }

  /// Returns the pages of a list, which are loaded as they are needed.
  ///
  ///     for try await users in api.pages("users", as: [User].self) { print(users.count) }
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query of the first request. The default is none.
  ///   - headers: The fields that replace those that the request serializer set, for all pages. The default is none.
  ///   - type: The type of a page. The default is inferred from the context.
  ///   - next: Where the next page is. The default is the link with the relation `next` (RFC 8288).
  ///   - configure: Changes the first request after all else is set. The default changes nothing.
  /// - Returns: The pages. A request that cannot be made is an error of the first page.
  public func pages<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    as type: Value.Type = Value.self, next: NextPage<Value> = .link,
    configure: RequestConfiguration = { _ in }
  ) -> Pages<Value> {
    let first = Result { () throws(MartletError) in
      try request(.get, path, parameters: parameters, headers: headers, configure: configure)
    }
    return Pages(first: first, next: next, policy: session.configuration.redirectPolicy) {
      [self] request in
      let response = try await send(request)
      return (response, try await value(of: response))
    }
  }

  /// Runs `work` on the engine's own thread, so that its requests need no change of thread.
  ///
  ///     let users = try await api.runOnEventLoop {
  ///       try await api.get("users", as: [User].self)
  ///     }
  ///
  /// - Parameter work: The work to run. It must not block its thread, nor compute for long.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  public func runOnEventLoop<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await session.runOnEventLoop(work)
  }
}

extension URLSessionManager {
  /// The shared reachability manager, for convenience: a session neither starts nor uses it (RCH-14).
  public var reachabilityManager: NetworkReachabilityManager { .shared }
}
