import EssentialFoundation
public import MartletCore
import NIOCore
import NIOPosix

/// The engine, which sends requests over its own pooled connections.
///
///     let transport = HTTPTransport()
///     let response = try await transport.send(Request(url: url))
///
/// It sends each request as it is: redirects, decompression and cookies are handled by the interceptors of a session's
/// pipeline. When the engine is deallocated, its idle connections close at once, and the others close when their
/// exchanges have ended.
public final class HTTPTransport: Transport {
  /// The configuration that this engine was created with.
  public let configuration: HTTPTransportConfiguration
  let directory: PoolDirectory

  /// Creates an engine.
  ///
  /// - Parameter configuration: The configuration. The default has the documented default values.
  public convenience init(
    _ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration()
  ) {
    self.init(configuration, in: EngineGroup())
  }

  /// Creates one of several engines that end together.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - group: The engines. `close()` waits for the work on other threads of all of them.
  package init(_ configuration: HTTPTransportConfiguration, in group: EngineGroup) {
    self.configuration = configuration
    let loops = Self.eventLoops(
      of: configuration.eventLoopGroup, count: configuration.eventLoopCount)
    directory = PoolDirectory(configuration, loops: loops, outsideWork: group.outsideWork)
  }

  deinit {
    directory.shutDown(abandoning: false)
  }

  /// Sends a request and returns its response as soon as the request's `delivery` allows.
  ///
  /// - Throws: `MartletError`, which states what failed and in which phase.
  public func send(_ request: Request) async throws -> Response {
    let token = directory.callers?.begin()
    defer { withExtendedLifetime(token) {} }
    let exchange = try exchange(for: request)
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { caller in
        exchange.pool.loop.run { exchange.begin(caller) }
      }
    } onCancel: {
      // Deferred, because the cancellation may come from a listener that the loop is calling now.
      exchange.onLoop { $0.cancel() }
    }
  }

  private func exchange(for request: Request) throws(MartletError) -> Exchange {
    let origin = try request.origin
    try RequestHeadEncoder.check(request)
    let pools = try directory.pools(for: origin)
    return Exchange(
      request, origin: origin, timeouts: request.timeouts(default: configuration.timeouts),
      pools: pools, ownPart: directory.ownLoop)
  }

  /// Replaces the trust evaluator of the configuration for all connections that are made from now on.
  ///
  /// Requests that are sent after this call do not use a TLS connection to a server if the connection was made before
  /// the call. Exchanges under way continue.
  ///
  /// - Parameter evaluator: The new evaluator. `nil` selects the built-in verification.
  public func setTrustEvaluator(_ evaluator: (any TrustEvaluating)?) {
    directory.setTrustEvaluator(evaluator)
  }

  /// Closes all connections, except those that have switched to another protocol. Requests that are under way or
  /// waiting fail with code `.shutDown`.
  public func shutDown() {
    directory.shutDown(abandoning: true)
  }

  /// Shuts down. With an `eventLoopGroup` of the program, this also waits for work on other threads that schedules something on these
  /// event loops, such as the producer of a body.
  package func close() async {
    await directory.close()
  }

  /// Returns some of the event loops of a group.
  ///
  /// Each engine takes the loops that follow the loops of the previous engine, so that the engines of a process use
  /// different loops as long as there are enough.
  ///
  /// - Parameters:
  ///   - group: The group. `nil` is the process's shared group, which needs no shutdown.
  ///   - count: How many loops to return. The result has at least one loop and at most all loops of the group.
  /// - Returns: The loops.
  static func eventLoops(of group: MultiThreadedEventLoopGroup?, count: Int) -> [any EventLoop] {
    let loops = Array((group ?? .singleton).makeIterator())
    let count = min(max(count, 1), loops.count, OriginParts.maximumCount)
    let first = nextLoop.withLock { next in
      defer { next = (next + count) % loops.count }
      return next % loops.count
    }
    return (first..<first + count).map { loops[$0 % loops.count] }
  }

  private static let nextLoop = Locked(0)
}

extension EventLoop {
  /// Runs `task` at once if the caller is on the loop, otherwise in one of the loop's next turns.
  func run(_ task: @escaping @Sendable () -> Void) {
    if inEventLoop { task() } else { execute(task) }
  }
}

extension HTTPTransport: CustomStringConvertible, CustomReflectable {
  /// The engine as text: `<HTTPTransport>`.
  public var description: String { "<HTTPTransport>" }

  /// The children that debuggers show: the configuration, and no state of the engine's thread.
  public var customMirror: Mirror {
    Mirror(self, children: ["configuration": configuration], displayStyle: .class)
  }
}
