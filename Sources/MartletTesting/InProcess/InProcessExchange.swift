import MartletCore

/// The exchange of one request over an in-process transport, which the request's call can suspend, resume and cancel.
final class InProcessExchange: CallControl {
  typealias Stop = @Sendable () -> Void

  private struct State: Sendable {
    var isSuspended = false
    var isOver = false
    var stop: Stop?
  }

  private let request: Request
  private let state = AwaitableValue(State())

  init(_ request: Request) {
    self.request = request
  }

  var call: Call? { request.call }

  // MARK: Running

  /// Runs `work`, which answers the request, in a task that `cancel()` cancels.
  ///
  /// - Throws: `MartletError`, which is reported to the call as well.
  func run(_ work: @escaping @Sendable () async throws -> Response) async throws -> Response {
    report(.attemptStarted(request))
    // Before the task begins: a request that is already suspended or cancelled must not reach the handler.
    if request.call?.attach(self, of: self) == .cancelled { cancel() } else { followSuspension() }
    let task = Task {
      try await waitWhileSuspended()
      return try await work()
    }
    // `work` may have called `setStopHandler(_:)` already; its closure is kept.
    setStopHandler({ task.cancel() }, if: { $0.stop == nil })
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        cancel()
      }
    } catch {
      throw fail(error)
    }
  }

  /// Returns as soon as the call is not suspended.
  ///
  /// - Throws: `MartletError` with code `.cancelled` when the exchange has ended, or the task is cancelled.
  func waitWhileSuspended() async throws(MartletError) {
    do {
      try await state.waitWithoutLimit { $0.isOver || !$0.isSuspended }
    } catch {
      throw .cancelled
    }
    guard !state.current.isOver else { throw .cancelled }
  }

  /// Sets the closure that a cancellation calls from now on. If the exchange has ended already, the closure is called
  /// at once.
  func setStopHandler(_ stop: @escaping Stop) {
    setStopHandler(stop, if: { _ in true })
  }

  private func setStopHandler(_ stop: @escaping Stop, if isWanted: (State) -> Bool) {
    let isOver = state.update { state in
      if !state.isOver, isWanted(state) { state.stop = stop }
      return state.isOver
    }
    if isOver { stop() }
  }

  func report(_ kind: CallEvent.Kind) {
    request.call?.report(kind)
  }

  // MARK: Ending, once

  func finish(_ metrics: ExchangeMetrics) {
    guard markOver() != nil else { return }
    report(.attemptFinished(metrics))
  }

  @discardableResult
  func fail(_ error: any Error) -> MartletError {
    let error = complete(error)
    if markOver() != nil { report(.attemptFailed(error)) }
    return error
  }

  private func complete(_ error: any Error) -> MartletError {
    var error = InProcessTransport.martletError(error)
    if error.request == nil { error.request = request }
    return error
  }

  /// - Returns: The closure that stops the work; `nil` when the exchange had ended before.
  private func markOver() -> Stop? {
    let stop: Stop? = state.update { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { state.stop = nil }
      return state.stop ?? {}
    }
    if stop != nil { request.call?.detach(self) }
    return stop
  }

  // MARK: Call control

  func suspend() { followSuspension() }

  func resume() { followSuspension() }

  func cancel() {
    guard let stop = markOver() else { return }
    report(.attemptFailed(complete(MartletError.cancelled)))
    stop()
  }

  /// Copies the call's current state, which may have changed since `suspend()` or `resume()` was called.
  private func followSuspension() {
    state.update { [request] in $0.isSuspended = request.call?.isSuspended ?? false }
  }
}
