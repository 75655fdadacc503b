public import EssentialFoundation
public import MartletCore

/// The token of an API, which is refreshed once for all requests that need a new one.
///
///     let tokens = try BearerTokenProvider(for: url) { _ in try await signIn() }
///     configuration.authentication.tokenProviders = [tokens]
///
/// Every request to its servers carries the token, except requests that have an `Authorization` field. When a server
/// refuses the token with 401, the token is refreshed, and the request is sent again. If several requests receive a 401
/// at the same time, `refresh` is called once, and all of them wait for it.
public final class BearerTokenProvider: Sendable {
  /// Provides a new token. Its parameter is the token that was refused, or `nil` when there was none.
  public typealias Refresh = @Sendable (_ refused: String?) async throws -> String

  /// The error that `refresh` has thrown.
  struct Failure: Error {
    let underlying: any Error
  }

  private struct State {
    var token: String?
    var refresh: Task<String, any Error>?
    /// Increases when a token is set, so that a running refresh does not overwrite that token.
    var generation = 0
    var limit: RefreshLimit
  }

  private let origins: Set<Origin>
  private let refresh: Refresh
  private let state: Locked<State>
  private let now: @Sendable () -> ContinuousClock.Instant

  /// A token for one or more servers.
  ///
  /// - Parameters:
  ///   - urls: Any URL of each server that may receive the token. It is never sent to other servers.
  ///   - token: The initial token. The default, `nil`, calls `refresh` for the first one.
  ///   - maximumRefreshesPerMinute: The maximum number of refreshes within a minute, at least 1. When it is reached, a
  ///     401 is the response; a request without any token fails with code `.authenticationFailed`. This protects a
  ///     server that refuses every token from endless requests. The default is 5.
  ///   - refresh: Returns a new token. Its own requests must not use this provider, because they would wait for the
  ///     refresh that sends them.
  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  public convenience init(
    for urls: URL..., token: String? = nil, maximumRefreshesPerMinute: Int = 5,
    refresh: @escaping Refresh
  ) throws(MartletError) {
    var origins: Set<Origin> = []
    for url in urls { origins.insert(try Origin(of: url)) }
    self.init(
      for: origins, token: token, limit: RefreshLimit(count: maximumRefreshesPerMinute),
      now: { .now }, refresh)
  }

  init(
    for origins: Set<Origin>, token: String?, limit: RefreshLimit,
    now: @escaping @Sendable () -> ContinuousClock.Instant, _ refresh: @escaping Refresh
  ) {
    self.origins = origins
    self.now = now
    self.refresh = refresh
    state = Locked(State(token: token, limit: limit))
  }

  /// Replaces the token, for example after signing in; with `nil`, the next request calls `refresh`.
  public func set(_ token: String?) {
    state.withLock { state in
      state.token = token
      state.refresh = nil
      state.generation += 1
    }
  }

  /// Whether a server may receive the token.
  func applies(to origin: Origin) -> Bool { origins.contains(origin) }

  /// The current token.
  var current: String? { state.withLock { $0.token } }

  /// Whether a token other than the refused one can be obtained.
  func canReplace(_ refused: String) -> Bool {
    state.withLock { state in
      state.refresh != nil || state.token != refused || state.limit.admits(now())
    }
  }

  /// Returns the token, or a new token when there is none or the token is the refused one.
  ///
  /// - Throws: `Failure` with the error of `refresh`; `MartletError` with code `.authenticationFailed` when there were
  ///   too many refreshes.
  func token(replacing refused: String?) async throws -> String {
    switch try state.withLock({ state in try next(&state, replacing: refused) }) {
    case .token(let token): return token
    case .refresh(let refresh): return try await refresh.value
    }
  }

  private enum Next {
    case token(String)
    case refresh(Task<String, any Error>)
  }

  private func next(_ state: inout State, replacing refused: String?) throws -> Next {
    if let token = state.token, token != refused { return .token(token) }
    if let refresh = state.refresh { return .refresh(refresh) }
    try state.limit.record(now())
    let refresh = Task { [generation = state.generation] in
      try await refreshed(refused, generation)
    }
    state.refresh = refresh
    return .refresh(refresh)
  }

  private func refreshed(_ refused: String?, _ generation: Int) async throws -> String {
    let result: Result<String, any Error>
    do {
      result = .success(try await refresh(refused))
    } catch {
      result = .failure(Failure(underlying: error))
    }
    state.withLock { state in
      guard state.generation == generation else { return }
      if case .success(let token) = result { state.token = token }
      state.refresh = nil
    }
    return try result.get()
  }
}

extension BearerTokenProvider: CustomStringConvertible, CustomReflectable {
  /// The servers, without the token.
  public var description: String {
    "BearerTokenProvider for \(origins.map(\.description).sorted().joined(separator: ", "))"
  }

  /// An empty mirror, because the contents are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Limits how often a token may be refreshed within a minute.
struct RefreshLimit: Sendable {
  private static let window = Duration.seconds(60)

  private let count: Int
  private var times: [ContinuousClock.Instant] = []

  init(count: Int) {
    self.count = max(count, 1)
  }

  /// Whether the token may be refreshed at `now`.
  func admits(_ now: ContinuousClock.Instant) -> Bool { recent(now).count < count }

  /// Records a refresh of the token at `now`.
  ///
  /// - Throws: `MartletError` with code `.authenticationFailed` when there were too many refreshes.
  mutating func record(_ now: ContinuousClock.Instant) throws(MartletError) {
    times = recent(now)
    guard times.count < count else {
      throw .tokenRefreshedTooOften(count: count)
    }
    times.append(now)
  }

  private func recent(_ now: ContinuousClock.Instant) -> [ContinuousClock.Instant] {
    times.filter { $0.duration(to: now) < Self.window }
  }
}
