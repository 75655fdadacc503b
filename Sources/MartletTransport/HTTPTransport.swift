import EssentialFoundation
public import MartletCore
import NIOCore
import NIOPosix

/// The engine: sends requests over pooled connections of its own.
///
///     let transport = HTTPTransport()
///     let response = try await transport.send(Request(url: url))
///
/// It does what a request says and nothing more: redirects, decompression and cookies are interceptors of a
/// session's pipeline. When the engine is dropped its idle connections close, and the others once their
/// exchanges are over.
public final class HTTPTransport: Transport {
  /// How this engine connects, waits and limits.
  public let configuration: HTTPTransportConfiguration
  let executor: EngineExecutor
  let directory: PoolDirectory

  /// An engine.
  ///
  /// - Parameter configuration: The default has the documented defaults.
  public init(_ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration()) {
    self.configuration = configuration
    let loops = Self.eventLoops(count: configuration.eventLoopCount)
    directory = PoolDirectory(configuration, loops: loops)
    executor = EngineExecutor(loop: loops[0])
  }

  deinit {
    directory.shutDown(abandoning: false)
  }

  /// Sends a request and returns its response, as soon as its `delivery` allows.
  ///
  /// - Throws: `MartletError` that names what failed and when.
  public func send(_ request: Request) async throws -> Response {
    let origin = try request.origin
    try RequestHeadEncoder.check(request)
    let pool = try directory.pool(for: origin)
    let exchange = Exchange(
      request, origin: origin, timeouts: request.timeouts(default: configuration.timeouts),
      pool: pool)
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { caller in
        pool.loop.run { exchange.begin(caller) }
      }
    } onCancel: {
      // Never at once: the cancellation may come from a listener that the loop is just calling.
      pool.loop.execute { exchange.cancel() }
    }
  }

  /// Has `evaluator` decide about servers from now on, in place of the configuration's.
  ///
  /// No connection that was made before carries a request that is sent from now on; what is under way goes
  /// on.
  ///
  /// - Parameter evaluator: `nil` for the built-in verification.
  public func setTrustEvaluator(_ evaluator: (any TrustEvaluating)?) {
    directory.setTrustEvaluator(evaluator)
  }

  /// Closes all connections; whatever is under way or waiting fails with code `.shutDown`.
  public func shutDown() {
    directory.shutDown(abandoning: true)
  }

  /// Some of the process's shared event loops, which need no shutting down.
  ///
  /// Each engine begins where the last one ended, so that the engines of a process share the work out.
  static func eventLoops(count: Int) -> [any EventLoop] {
    let shared = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
    let count = min(max(count, 1), shared.count)
    let first = nextLoop.withLock { next in
      defer { next = (next + count) % shared.count }
      return next
    }
    return (first..<first + count).map { shared[$0 % shared.count] }
  }

  private static let nextLoop = Locked(0)
}

extension EventLoop {
  /// Runs `task` now when already on the loop, else as soon as the loop comes to it.
  func run(_ task: @escaping @Sendable () -> Void) {
    if inEventLoop { task() } else { execute(task) }
  }
}

extension HTTPTransport: CustomStringConvertible, CustomReflectable {
  /// The engine as text: `<HTTPTransport>`.
  public var description: String { "<HTTPTransport>" }

  /// What debuggers show: the configuration, and nothing that the engine's thread uses.
  public var customMirror: Mirror {
    Mirror(self, children: ["configuration": configuration], displayStyle: .class)
  }
}
