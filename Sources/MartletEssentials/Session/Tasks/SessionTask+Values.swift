import EssentialFoundation
public import MartletCore

/// What a task has done so far.
extension SessionTask {
  /// The request that is under way: the last one that was sent, after the redirects so far.
  public var currentRequest: Request { call.redirectedRequest ?? originalRequest }
  /// Which of several waiting requests goes first.
  public var priority: Request.Priority { call.priority }
  /// How far the upload has come, as a value that may be read from any thread.
  public var uploadTransfer: TransferProgress { call.uploadTransfer }
  /// How far the download has come, before decompression, as a value that may be read from any thread.
  public var downloadTransfer: TransferProgress { call.downloadTransfer }
  /// Bytes of the request's body that have been sent.
  public var countOfBytesSent: Int64 { call.uploadTransfer.completed }
  /// Bytes of the request's body in all, or `nil` when that is not known.
  public var countOfBytesExpectedToSend: Int64? {
    call.uploadTransfer.total ?? originalRequest.body.length
  }
  /// Bytes of the response's body that have arrived, before decompression.
  public var countOfBytesReceived: Int64 { call.downloadTransfer.completed }
  /// Bytes of the response's body in all, or `nil` while that is not known.
  public var countOfBytesExpectedToReceive: Int64? { call.downloadTransfer.total }
  /// What its last exchange took, once it is over.
  public var metrics: ExchangeMetrics? {
    status.withLock { $0.state == .completed || $0.isReceived ? $0.response?.metrics : nil }
  }
}

/// A task as something to wait for, and to watch.
extension SessionTask {
  /// The response, as soon as the task is over; that of a streamed one comes without the body, and that
  /// of a download with the file in its place.
  ///
  /// It waits, and changes nothing: a task that is not resumed yet is waited for until it is.
  ///
  /// - Throws: The task's error; one with code `.cancelled` when the Swift task that waits is cancelled before the
  ///   end, which leaves this one as it is.
  public var value: Response {
    get async throws {
      // A stream that ends when the task does: it can be waited for by any number, and given up.
      for await _ in stream(of: Never.self, buffering: .bufferingNewest(1), { _ in }) {}
      let (state, response, error) = status.withLock { ($0.state, $0.response, $0.error) }
      guard state == .completed else { throw MartletError.waitCancelled(for: originalRequest.url) }
      if let error { throw error }
      guard let response else { throw MartletError.cancelled }
      return response
    }
  }

  /// Everything that happens to the task and its connection from now on; it ends with the task.
  ///
  /// A reader that falls behind by more than 1024 events misses the oldest.
  public var events: AsyncStream<CallEvent> {
    stream(buffering: .bufferingNewest(1024)) { [call] events in
      call.observe { events.yield($0) }
    }
  }

  /// How far the upload has come, each time it goes on; a slow reader gets the newest value only. It ends
  /// with the task.
  public var uploadUpdates: AsyncStream<TransferProgress> {
    stream(buffering: .bufferingNewest(1)) { [call] updates in
      call.observeUpload { updates.yield($0) }
    }
  }

  /// How far the download has come, each time it goes on; a slow reader gets the newest value only. It ends
  /// with the task.
  public var downloadUpdates: AsyncStream<TransferProgress> {
    stream(buffering: .bufferingNewest(1)) { [call] updates in
      call.observe(.progress) { [weak call] event in
        guard case .bodyReceived = event.kind, let call else { return }
        updates.yield(call.downloadTransfer)
      }
    }
  }

  /// A stream that `begin` feeds, and that ends when the task is over.
  private func stream<Element: Sendable>(
    of type: Element.Type = Element.self,
    buffering policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ begin: (AsyncStream<Element>.Continuation) -> Void
  ) -> AsyncStream<Element> {
    let (stream, elements) = AsyncStream.makeStream(of: type, bufferingPolicy: policy)
    begin(elements)
    onCompletion { _ in elements.finish() }
    return stream
  }
}

extension MartletError {
  /// The Swift task that waited was cancelled, and the session's task was not.
  fileprivate static func waitCancelled(for url: URL) -> MartletError {
    MartletError(
      .cancelled, "Waiting for the response of \(url.masked) was cancelled: its task goes on.",
      phase: .wait)
  }
}
