public import MartletCore

/// Ending a download so that it can go on later.
extension SessionTask {
  /// Ends a download as `cancel()` does, and keeps what came if that is of use (SES-D9).
  ///
  /// - Parameter handler: Called once, when the task is over, on any thread: with `nil` when the task is no
  ///   download, has come to its end by itself or is about to, or left nothing to go on from. That takes a
  ///   strong `ETag` or `Last-Modified`, without which it could not be told whether the server still has the
  ///   same. The task's error carries the same resume data.
  public func cancel(producingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
    download?.keepsCancelled.withLock { $0 = true }
    whenOver { task in handler(task.error?.resumeData) }
    cancel()
  }

  /// Ends a download as `cancel()` does, and keeps what came if that is of use (SES-D9).
  ///
  /// - Returns: The resume data; see ``cancel(producingResumeData:)``.
  public func cancelProducingResumeData() async -> ResumeData? {
    await withCheckedContinuation { continuation in
      cancel { continuation.resume(returning: $0) }
    }
  }
}
