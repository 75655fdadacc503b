public import MartletCore

/// Many requests at once, as a sequence of what becomes of them.
///
///     for await outcome in transport.send(requests, maximumConcurrent: 32) {
///       print(outcome.index, try outcome.response.status)
///     }
///
/// The requests begin when the sequence is iterated, and run on the engine's own thread. They are taken
/// from their sequence one by one as others finish; while `maximumConcurrent` outcomes wait for a slow
/// reader no more are, so that at most twice as many ever wait. Leaving the loop, or cancelling the task
/// that runs it, cancels what is under way.
public struct ResponseBatch: AsyncSequence, Sendable {
  /// A batch never fails as a whole: every failure is an outcome.
  public typealias Failure = Never

  /// What became of one request.
  public struct Outcome: Sendable {
    /// The request's place in the sequence of requests, from 0.
    public let index: Int
    /// The request.
    public let request: Request
    /// The response, or why there is none.
    public let result: Result<Response, MartletError>

    /// The response.
    ///
    /// - Throws: Why there is none.
    public var response: Response {
      get throws(MartletError) { try result.get() }
    }
  }

  package typealias Send = @Sendable (Request) async throws -> Response

  private let requests: any Sequence<Request> & Sendable
  let limit: Int
  private let executor: EngineExecutor?
  private let send: Send
  private(set) var isInOrder = false

  init(
    _ requests: some Sequence<Request> & Sendable, limit: Int, executor: EngineExecutor?,
    send: @escaping Send
  ) {
    self.requests = requests
    self.limit = Swift.max(limit, 1)
    self.executor = executor
    self.send = send
  }

  /// A batch that is sent through more than the engine.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - limit: How many are under way at once.
  ///   - engine: Where they run; `nil` leaves that to the Swift runtime.
  ///   - send: Sends one.
  package init(
    _ requests: some Sequence<Request> & Sendable, limit: Int, on engine: HTTPTransport?,
    send: @escaping Send
  ) {
    self.init(requests, limit: limit, executor: engine?.executor, send: send)
  }

  /// The same requests, with the outcomes in the order of the requests.
  ///
  /// A slow response holds up those behind it: they are finished, but wait for their turn, and once
  /// `maximumConcurrent` of them do, no more requests are begun.
  public var inOrder: ResponseBatch {
    var batch = self
    batch.isInOrder = true
    return batch
  }

  /// Begins with the requests.
  public func makeAsyncIterator() -> Iterator {
    let run = BatchRun(
      requests.makeIterator(), limit: limit, isInOrder: isInOrder, executor: executor)
    run.begin(send: send)
    return Iterator(run: run)
  }

  /// Hands out the outcomes.
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

    /// The next outcome, or `nil` after the last. Once the task is cancelled, what has been taken already is
    /// handed out, and then `nil`. A call that comes before the last one has returned waits for its turn.
    public func next() async -> Outcome? {
      if let outcome = taken.next() { return outcome }
      return await mutex.withLock { await nextOfMore() }
    }

    private func nextOfMore() async -> Outcome? {
      // The turn before may have left some.
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
  /// Sends many requests, so many at once, on the engine's own thread.
  ///
  /// This is the cheapest way to send many: nothing changes threads but the outcomes, and those many
  /// at a time.
  ///
  /// - Parameters:
  ///   - requests: The requests; taken one by one, so that they can be made as they are needed.
  ///   - maximumConcurrent: How many are under way at once, at least 1. The default is 64.
  /// - Returns: The outcomes in order of completion; `inOrder` has them in order of request.
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    ResponseBatch(requests, limit: maximumConcurrent, executor: executor, send: send)
  }
}

extension ResponseBatch: CustomStringConvertible, CustomReflectable {
  /// The batch as text, such as `<ResponseBatch: 32 at once, in order of completion>`.
  public var description: String {
    "<ResponseBatch: \(limit) at once, in order of \(isInOrder ? "request" : "completion")>"
  }

  /// What debuggers show: no more than the description says, and nothing that an engine's thread uses.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
