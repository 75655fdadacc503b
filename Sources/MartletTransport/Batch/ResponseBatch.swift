public import MartletCore

/// Many requests that are sent concurrently, as a sequence of their outcomes.
///
///     for await outcome in transport.send(requests, maximumConcurrent: 32) {
///       print(outcome.index, try outcome.response.status)
///     }
///
/// The requests begin when the sequence is iterated, and run on the engine's own threads. They are taken from their
/// sequence one by one as others finish. While `maximumConcurrent` outcomes wait for a slow reader, no more requests
/// are taken. The reader receives the outcomes in groups, so up to four times `maximumConcurrent` outcomes may be in
/// memory. Leaving the loop, or cancelling the task that runs it, cancels the requests under way.
public struct ResponseBatch: AsyncSequence, Sendable {
  /// A batch never fails as a whole: every failure is an outcome.
  public typealias Failure = Never

  /// The outcome of one request.
  public struct Outcome: Sendable {
    /// The request's place in the sequence of requests, from 0.
    public let index: Int
    /// The request.
    public let request: Request
    /// The response, or the error.
    public let result: Result<Response, MartletError>

    /// The response.
    ///
    /// - Throws: The error, if the request has failed.
    public var response: Response {
      get throws(MartletError) { try result.get() }
    }
  }

  package typealias Send = @Sendable (Request) async throws -> Response

  private let requests: RequestSource
  let limit: Int
  private let executors: [EngineExecutor]
  private let send: Send
  private(set) var isInOrder = false

  /// Creates a batch that is sent by a closure, such as through a session's pipeline.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - limit: The maximum number of requests under way at once. A limit below 1 counts as 1.
  ///   - engine: The engine on whose threads the requests run. `nil` leaves the threads to the Swift runtime.
  ///   - send: Sends one request.
  package init(
    _ requests: RequestSource, limit: Int, on engine: HTTPTransport?, send: @escaping Send
  ) {
    self.requests = requests
    self.limit = Swift.max(limit, 1)
    self.send = send
    executors = engine?.directory.executors(for: self.limit) ?? []
  }

  /// The same requests, with the outcomes in the order of the requests.
  ///
  /// A slow response holds up the later ones, which wait for their turn although they are finished. Once
  /// `maximumConcurrent` of them wait, no more requests begin.
  public var inOrder: ResponseBatch {
    var batch = self
    batch.isInOrder = true
    return batch
  }

  /// Starts to send the requests.
  public func makeAsyncIterator() -> Iterator {
    let run = BatchRun(
      requests, limit: limit, isInOrder: isInOrder, executors: executors)
    run.begin(send: send)
    return Iterator(run: run)
  }

  /// Iterates over the outcomes.
  public final class Iterator: AsyncIteratorProtocol {
    private let run: BatchRun
    private let mutex = AsyncMutex()
    private var taken = [Outcome]().makeIterator()

    init(run: BatchRun) {
      self.run = run
    }

    deinit {
      run.abandon()
    }

    /// Returns the next outcome, or `nil` after the last.
    ///
    /// Once the task is cancelled, the outcomes that were taken already are returned, and then `nil`. A call that
    /// begins before the previous one has returned waits for its turn.
    public func next() async -> Outcome? {
      if let outcome = taken.next() { return outcome }
      return await mutex.withLock { await nextOfMore() }
    }

    private func nextOfMore() async -> Outcome? {
      // The previous call may have left some outcomes.
      if let outcome = taken.next() { return outcome }
      let outcomes = await withTaskCancellationHandler {
        await run.next()
      } onCancel: { [run] in
        run.abandon()
      }
      taken = outcomes.makeIterator()
      return taken.next()
    }
  }
}

extension HTTPTransport {
  /// Sends many requests concurrently, on the engine's own threads: one for each eight requests under way at once, as far
  /// as the engine has event loops.
  ///
  /// This is the cheapest way to send many requests: only the outcomes switch threads, and many of them at a time.
  ///
  /// - Parameters:
  ///   - requests: The requests. They are taken one by one, so that they can be created when they are needed.
  ///   - maximumConcurrent: The maximum number of requests under way at once. A number below 1 counts as 1. The default
  ///     is 64.
  /// - Returns: The outcomes in order of completion. Use `inOrder` to get them in order of request.
  @inlinable
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    send(RequestSource(requests), maximumConcurrent: maximumConcurrent)
  }

  @usableFromInline
  func send(_ requests: RequestSource, maximumConcurrent: Int) -> ResponseBatch {
    ResponseBatch(requests, limit: maximumConcurrent, on: self, send: send)
  }
}

extension ResponseBatch: CustomStringConvertible, CustomReflectable {
  /// The batch as text, such as `<ResponseBatch: 32 at once, in order of completion>`.
  public var description: String {
    "<ResponseBatch: \(limit) at once, in order of \(isInOrder ? "request" : "completion")>"
  }

  /// The children that debuggers show: none, because the engine's threads use the state of the batch.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
