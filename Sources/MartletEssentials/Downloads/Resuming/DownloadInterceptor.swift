import EssentialFoundation
import MartletCore
import SystemPackage

/// The plan and the state of a download, which its task carries.
final class DownloadContext: Sendable {
  let plan: DownloadPlan
  /// The resume data of an earlier download, or of an earlier attempt when an interceptor above retries.
  let resumeData: Locked<ResumeData?>
  /// Whether the partial file is kept when the download is cancelled.
  let keepsPartialOnCancel: Locked<Bool>

  init(_ plan: DownloadPlan, keepsPartialOnCancel: Bool = false) {
    self.plan = plan
    resumeData = Locked(plan.resuming)
    self.keepsPartialOnCancel = Locked(keepsPartialOnCancel)
  }

  /// The number of bytes in the partial file.
  var received: Int64 { resumeData.current?.received ?? 0 }

  /// Whether the partial file is kept after an error.
  func keepsPartial(after error: any Error) -> Bool {
    let isCancelled = (error as? MartletError)?.code == .cancelled || error is CancellationError
    // A caller that resumed the download has the partial file, and may try again.
    return !isCancelled || keepsPartialOnCancel.current || plan.resuming != nil
  }

  /// Ends a download between two attempts: keeps the partial file, or removes it.
  ///
  /// - Parameter error: The reason.
  /// - Returns: The error, with the resume data if the partial file is kept.
  func failure(_ error: any Error) -> MartletError {
    var failure = MartletError.wrapping(error)
    if keepsPartial(after: error) {
      failure.resumeData = resumeData.current
    } else {
      plan.removePartial()
    }
    return failure
  }
}

/// Writes the body of a download to a file, continues where an earlier one ended, and checks the file.
///
/// It sends another request, in the same task and with the same call, when the resource has changed since the partial
/// file was written, or when the server sent less than requested. Requests that are not downloads pass through.
struct DownloadInterceptor: Interceptor {
  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    context.task?.download == nil ? .passThrough : .callSend
  }

  /// Downloads, and returns the last response with the file as its body.
  ///
  /// - Throws: `MartletError`, with resume data if the download can be resumed.
  func send(_ request: Request, next: Next) async throws -> Response {
    guard let download = next.context.task?.download else { return try await next.send(request) }
    let plan = download.plan
    let data = try download.resumeData.current?.checked()
    var attempt = DownloadAttempt(plan, request, from: data.flatMap { $0.isUsable ? $0 : nil })
    do {
      while true {
        let response = try await attempt.receive(try await next.send(try attempt.request))
        guard let nextAttempt = try await attempt.nextAttempt(after: response) else {
          return try await finish(response, attempt)
        }
        attempt = nextAttempt
      }
    } catch {
      let failure = await attempt.cleanUp(
        after: error, keepsPartial: download.keepsPartial(after: error))
      download.resumeData.withLock { $0 = failure.resumeData }
      throw failure
    }
  }

  private func finish(_ response: Response, _ attempt: DownloadAttempt) async throws -> Response {
    let plan = attempt.plan
    let check = DownloadCheck(
      plan.checksum, response, at: attempt.offset, known: attempt.knownDigest)
    let (received, finalName, durability) = (attempt.file, attempt.name, attempt.durability)
    let file = try await runOnGlobalExecutor {
      // A process that died may have left a complete partial file that is not on the disk yet.
      if case .whole = attempt.outcome, durability == .onDisk { try await bringToDisk(received) }
      try await check.run(on: received) { attempt.isActive }
      // After a cancellation there must be no file.
      guard attempt.isActive else { throw MartletError.cancelled }
      return try await finalName?.moveOrCopy(from: received, durability) ?? received
    }
    if received != plan.partial { plan.removePartial() }
    var response = response
    response.body = ResponseBody(file: file, completion: response.body.completion)
    return response
  }
}

/// Waits until a file is on the disk, which no event loop may do.
@concurrent
private func bringToDisk(_ file: URL) async throws {
  try OpenFile(file, options: .noFollow).sync()
}

/// The settings of a download, besides its request.
struct DownloadPlan: Sendable {
  /// The file that has the bytes until the download is complete.
  var partial: URL
  /// The resume data of the earlier download that is resumed.
  var resuming: ResumeData?
  /// The checksum that the whole file must have.
  var checksum: Checksum?
  /// Returns whether a response is acceptable. The default accepts all.
  var accepts: @Sendable (ResponseHead) -> Bool = { _ in true }
  /// Returns the error of a response that is not acceptable, given its first bytes.
  var rejection: @Sendable (Response, Data) -> MartletError
  /// Returns the final name, given the head of a response. With the default, `nil`, the file stays where it is.
  var name: (@Sendable (ResponseHead) throws -> FinalName)?
  /// Records the resume data before the first byte is written. The default, `nil`, is for a download without a store.
  var record: (@Sendable (ResumeData) throws -> Void)?

  init(
    partial: URL, resuming: ResumeData? = nil,
    rejection: @escaping @Sendable (Response, Data) -> MartletError
  ) {
    self.partial = partial
    self.resuming = resuming
    self.rejection = rejection
  }

  /// Whether only the task knows the file when it is complete.
  var isTemporary: Bool { name == nil && resuming == nil }

  /// How far the file is on its way to the disk at the end. What another process may continue is always on the disk.
  func durability(of request: Request) -> FileDurability {
    record == nil && resuming == nil ? request.fileDurability : .onDisk
  }

  /// Removes the partial file, which cannot be used.
  func removePartial() {
    try? FileManager.default.removeItem(at: partial)
  }
}
