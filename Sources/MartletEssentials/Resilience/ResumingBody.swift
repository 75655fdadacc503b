import EssentialFoundation
import MartletCore
import NIOCore

/// A stream that is continued by another request when its connection is lost, unseen by its reader.
///
/// That requires a strong validator, with which the server shows that the rest belongs to the same body (RFC 9110
/// §13.1.5).
final class ResumingBody: ResponseBodySource {
  private struct State {
    var body: ResponseBody
    var position: BodyPosition
    var retries: Retries
    /// The end of the part that `body` has, if the response announces it.
    var partEnd: Int64?
    /// Whether only another request shows whether there is more, because the server has not sent the total length.
    var isEndUnknown = false
    var isAbandoned = false
    /// Requests the rest.
    var work: Task<ResponseBody, any Error>?
  }

  private let request: Request
  private let next: Next
  private let state: Locked<State>

  /// Returns `nil` if the body cannot be continued.
  ///
  /// - Parameters:
  ///   - response: The response, whose body is a stream.
  ///   - request: The request, as the interceptor has received it.
  ///   - next: The interceptors below.
  ///   - retries: The attempts so far.
  init?(_ response: Response, to request: Request, _ next: Next, _ retries: Retries) {
    let position = BodyPosition(request, response.head, from: response.url)
    guard position.validator != nil, !request.headers.contains(.range) else { return nil }
    self.request = request
    self.next = next
    state = Locked(State(body: response.body, position: position, retries: retries))
  }

  func next() async throws -> ByteBuffer? {
    while true {
      let body = state.withLock { $0.body }
      var failure: (any Error)?
      do {
        var chunks = body.makeAsyncIterator()
        if let chunk = try await chunks.next() { return try take(chunk) }
        guard isIncomplete else { return nil }
        failure = partFailure
      } catch {
        failure = error
      }
      try await resume(after: failure)
    }
  }

  func abandon() {
    let (body, work) = state.withLock { state in
      state.isAbandoned = true
      return (state.body, state.work)
    }
    work?.cancel()
    body.cancel()
  }

  var completion: ResponseBody.Completion? { state.withLock { $0.body }.completion }

  /// Counts a chunk, which may not exceed the part that was announced.
  private func take(_ chunk: ByteBuffer) throws -> ByteBuffer {
    try state.withLock { state in
      let received = state.position.received + Int64(chunk.readableBytes)
      if let end = state.partEnd, received > end {
        throw MartletError.bodyNotAsAnnounced(end, sent: "more")
      }
      state.position.received = received
    }
    return chunk
  }

  /// Whether there is more, although the body of the last response has ended.
  private var isIncomplete: Bool {
    state.withLock { $0.isEndUnknown || $0.position.received < $0.position.length ?? 0 }
  }

  /// The error of a part that has ended before its announced end. A part that is shorter than requested is no failure (RFC
  /// 9110 §15.3.7).
  private var partFailure: MartletError? {
    state.withLock { $0.position.received == $0.partEnd ? nil : incomplete($0.position) }
  }

  // MARK: Continuing

  /// Puts the rest of the body in place of the one that has ended.
  ///
  /// - Parameter error: The error with which it has ended; `nil` if a part of the body was complete.
  /// - Throws: The error, if the body cannot be continued; the error of the last attempt.
  private func resume(after error: (any Error)?) async throws {
    let work = Task { try await rest(after: error) }
    let isAbandoned = state.withLock { state in
      state.work = work
      return state.isAbandoned
    }
    if isAbandoned { work.cancel() }
    let body = try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
    let isTooLate = state.withLock { state in
      (state.body, state.work) = (body, nil)
      return state.isAbandoned
    }
    guard isTooLate else { return }
    body.cancel()
    throw MartletError.cancelled
  }

  /// Requests the rest of the body, until an attempt succeeds or the policy gives up.
  private func rest(after error: (any Error)?) async throws -> ResponseBody {
    var failure = error.flatMap(AttemptFailure.init)
    var lastError = error ?? MartletError.cancelled
    if error != nil, failure == nil { throw lastError }
    while true {
      if let failure { try await pause(after: failure, lastError) }
      let position = state.withLock { $0.position }
      do {
        let response = try await next.send(try continuation(of: position))
        if let body = body(of: response, at: position) { return body }
        await response.body.discard()
        failure = AttemptFailure(response)
        if error == nil { lastError = incomplete(position) }
      } catch {
        failure = AttemptFailure(error)
        lastError = error
        if failure == nil { throw error }
      }
    }
  }

  private func pause(after failure: AttemptFailure, _ error: any Error) async throws {
    var (retries, position) = state.withLock { ($0.retries, $0.position) }
    let pause = retries.pause(after: failure, isReplayable: true, received: position.received)
    state.withLock { [retries] in $0.retries = retries }
    guard let pause else { throw retries.completed(error) }
    try await retries.wait(pause)
  }

  private func incomplete(_ position: BodyPosition) -> MartletError {
    .bodyTruncated(received: position.received, of: position.length)
  }

  private func continuation(of position: BodyPosition) throws(MartletError) -> Request {
    var request = request
    request.delivery.requiresHead = true
    try position.addRangeFields(to: &request)
    return request
  }

  /// Returns the body of a response from the position on; `nil` if the response does not have it.
  private func body(of response: Response, at position: BodyPosition) -> ResponseBody? {
    switch ResumeDecision(response.head, from: response.url, resuming: position) {
    case .append(let bytes, let total):
      request.call?.report(.downloadResumed(offset: position.received, total: total))
      state.withLock { state in
        state.partEnd = bytes.upperBound
        state.position.length = position.length ?? total
        state.isEndUnknown = state.position.length == nil
      }
      return response.body
    case .startOver where isSame(response, position):
      // The server does not support ranges, or has forgotten the validator of the range.
      state.withLock { $0.partEnd = nil }
      return response.body.slice(position.received, .max, of: request.call)
    case .complete:
      state.withLock { $0.isEndUnknown = false }
      return .empty
    default: return nil
    }
  }

  private func isSame(_ response: Response, _ position: BodyPosition) -> Bool {
    let other = BodyPosition(request, response.head, from: response.url)
    return other.validator == position.validator && other.path == position.path
      && (other.length ?? position.length) == (position.length ?? other.length)
  }
}
