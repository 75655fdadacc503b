import EssentialFoundation
public import MartletCore

/// The progress of a task so far.
extension SessionTask {
  /// The request under way: the request after the last redirect, or the original request before the first.
  public var currentRequest: Request { call.redirectedRequest ?? originalRequest }
  /// The priority of the request among waiting requests.
  public var priority: Request.Priority { call.priority }
  /// The progress of the upload, as a value that may be read from any thread.
  public var uploadTransfer: TransferProgress { call.uploadTransfer }
  /// The progress of the download, before decompression, as a value that may be read from any thread.
  public var downloadTransfer: TransferProgress { call.downloadTransfer }
  /// The number of bytes of the request's body that have been sent.
  public var countOfBytesSent: Int64 { call.uploadTransfer.completed }
  /// The total number of bytes of the request's body, or `nil` when it is not known.
  public var countOfBytesExpectedToSend: Int64? {
    call.uploadTransfer.total ?? originalRequest.body.length
  }
  /// The number of bytes of the response's body that have arrived, before decompression. A resumed download counts the
  /// bytes of the earlier download, too.
  public var countOfBytesReceived: Int64 { call.downloadTransfer.completed }
  /// The total number of bytes of the response's body, or `nil` while it is not known.
  public var countOfBytesExpectedToReceive: Int64? { call.downloadTransfer.total }
  /// The metrics of the task's last exchange, once the task is over; `nil` if there was no response.
  public var metrics: ExchangeMetrics? {
    status.withLock { $0.state == .completed || $0.isReceived ? $0.response?.metrics : nil }
  }
}

/// Waiting for a task, and observing it.
extension SessionTask {
  /// The response, as soon as the task is over. A streamed response has no body here; a download's body is the file at
  /// its destination.
  ///
  /// Reading it does not change the task: it does not resume a suspended task, but waits until another caller does.
  ///
  /// - Throws: The task's error. If the waiting Swift task is cancelled first, an error with code `.cancelled`; this
  ///   task continues then.
  public var value: Response {
    get async throws {
      // A stream that ends with the task: several callers can wait at the same time, and each wait can be cancelled.
      for await _ in stream(of: Never.self, buffering: .bufferingNewest(1), { _ in }) {}
      let (state, response, error) = status.withLock { ($0.state, $0.response, $0.error) }
      guard state == .completed else { throw MartletError.waitCancelled(for: originalRequest.url) }
      if let error { throw error }
      guard let response else { throw MartletError.cancelled }
      return response
    }
  }

  /// The events of the task and its connection from now on. The stream ends with the task.
  ///
  /// A reader that falls behind by more than 1024 events misses the oldest.
  public var events: AsyncStream<CallEvent> {
    stream(buffering: .bufferingNewest(1024)) { [call] events in
      // Events that are not read keep the call, so that the call must not keep the stream.
      let observation = call.observe { events.yield($0) }
      events.onTermination = { _ in observation.cancel() }
    }
  }

  /// The progress of the upload, after each change. A slow reader receives only the newest value. The stream ends with
  /// the task.
  public var uploadUpdates: AsyncStream<TransferProgress> {
    stream(buffering: .bufferingNewest(1)) { [call] updates in
      call.observeUpload { updates.yield($0) }
    }
  }

  /// The progress of the download, after each chunk received. A slow reader receives only the newest value. The stream
  /// ends with the task.
  public var downloadUpdates: AsyncStream<TransferProgress> {
    stream(buffering: .bufferingNewest(1)) { [call] updates in
      call.observeDownload { updates.yield($0) }
    }
  }

  /// Returns a stream that `begin` fills, and that ends when the task is over.
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
