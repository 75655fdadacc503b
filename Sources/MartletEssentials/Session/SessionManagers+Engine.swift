import EssentialFoundation
public import MartletCore
public import MartletTransport

/// Sending at the lowest price: many requests at once, or from the engine's own thread.
extension URLSessionManager {
  /// Sends many requests, so many at once, on the engine's own thread.
  ///
  /// - Parameters:
  ///   - requests: The requests; taken one by one, so that they can be made as they are needed.
  ///   - maximumConcurrent: How many are under way at once, at least 1. The default is 64.
  /// - Returns: The outcomes in order of completion; `inOrder` has them in order of request.
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    send(requests, maximumConcurrent: maximumConcurrent, refusing: nil)
  }

  /// The same; with a reason for it, every request is refused.
  func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int,
    refusing reason: MartletError?
  ) -> ResponseBatch {
    let (runner, registry, route) = (runner, registry, runner.sessionPipeline)
    // Without a list of captures: a closure that has one is left and come back to, as `@concurrent` code is.
    return ResponseBatch(requests, limit: maximumConcurrent, on: route.engine) { request in
      if let reason { throw reason }
      return try await runner.perform(registry.add(request), over: route)
    }
  }

  /// Runs `work` on the engine's own thread, where its requests change no thread at all.
  ///
  /// See `HTTPTransport.runOnEventLoop(_:)`. A session with a transport of the application's own has no
  /// engine: `work` runs where it would run anyway.
  ///
  /// - Parameter work: What to do. It must not block its thread, nor compute for long.
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
  /// Sends many requests, so many at once, on the engine's own thread.
  ///
  ///     let requests = try (1...1000).map { try api.request(.get, "users/\($0)") }
  ///     for await outcome in api.send(requests, maximumConcurrent: 32) {
  ///       print(outcome.index, try outcome.response.status)
  ///     }
  ///
  /// - Parameters:
  ///   - requests: The requests; taken one by one, so that they can be made as they are needed.
  ///   - maximumConcurrent: How many are under way at once, at least 1. The default is 64.
  /// - Returns: The outcomes in order of completion; `inOrder` has them in order of request.
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    session.send(
      requests, maximumConcurrent: maximumConcurrent, refusing: policyProblem?.current ?? nil)
  }

  /// Runs `work` on the engine's own thread, where its requests change no thread at all.
  ///
  ///     let users = try await api.runOnEventLoop {
  ///       try await api.get("users", as: [User].self)
  ///     }
  ///
  /// - Parameter work: What to do. It must not block its thread, nor compute for long.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  public func runOnEventLoop<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await session.runOnEventLoop(work)
  }
}

extension URLSessionManager {
  /// The shared manager of reachability, for convenience: a session neither starts nor asks it (RCH-14).
  public var reachabilityManager: NetworkReachabilityManager { .shared }
}

extension HTTPSessionManager {
  /// The shared manager of reachability, for convenience: a session neither starts nor asks it (RCH-14).
  public var reachabilityManager: NetworkReachabilityManager { .shared }
}
