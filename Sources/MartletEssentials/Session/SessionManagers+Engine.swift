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
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    send(requests, maximumConcurrent: maximumConcurrent, refusing: nil)
  }

  /// The same; if there is a `reason`, every request fails with it.
  func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int,
    refusing reason: MartletError?
  ) -> ResponseBatch {
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
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    session.send(
      requests, maximumConcurrent: maximumConcurrent, refusing: policyProblem?.current ?? nil)
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

extension HTTPSessionManager {
  /// The shared reachability manager, for convenience: a session neither starts nor uses it (RCH-14).
  public var reachabilityManager: NetworkReachabilityManager { .shared }
}
