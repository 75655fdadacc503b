import EssentialFoundation
import MartletCore
import SystemPackage

/// What a download is to do, as its task carries it.
final class DownloadContext: Sendable {
  let plan: DownloadPlan
  /// What is there already: of an earlier download, or of an earlier try when an interceptor above tries again.
  let resumeData: Locked<ResumeData?>
  /// Whether bytes are kept when the download is cancelled.
  let keepsPartialOnCancel: Locked<Bool>

  init(_ plan: DownloadPlan, keepsPartialOnCancel: Bool = false) {
    self.plan = plan
    resumeData = Locked(plan.resuming)
    self.keepsPartialOnCancel = Locked(keepsPartialOnCancel)
  }
}

/// Puts the body of a download into a file, goes on where an earlier one ended, and checks what came.
///
/// It asks again, in one task and with the same handle, when what is there turns out to be of something that
/// the server has no more, or when less came than was asked for. What is no download passes.
struct DownloadInterceptor: Interceptor {
  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    context.task?.download == nil ? .passThrough : .callSend
  }

  /// Downloads, and returns the last response with the file as its body.
  ///
  /// - Throws: `MartletError`, with resume data when what came is of use.
  func send(_ request: Request, next: Next) async throws -> Response {
    guard let download = next.context.task?.download else { return try await next.send(request) }
    let plan = download.plan
    let data = try download.resumeData.current?.checked()
    var attempt = DownloadAttempt(plan, request, from: data.flatMap { $0.isUsable ? $0 : nil })
    do {
      while true {
        let response = try await attempt.receive(try await next.send(try attempt.request))
        guard let following = try await attempt.following(response) else {
          return try await finish(response, attempt)
        }
        attempt = following
      }
    } catch {
      let isCancelled = (error as? MartletError)?.code == .cancelled || error is CancellationError
      // A caller that resumed it has the partial file, and may try again.
      let keeps = !isCancelled || download.keepsPartialOnCancel.current || plan.resuming != nil
      let failure = await attempt.cleanUp(after: error, keepsPartial: keeps)
      download.resumeData.withLock { $0 = failure.resumeData }
      throw failure
    }
  }

  private func finish(_ response: Response, _ attempt: DownloadAttempt) async throws -> Response {
    let plan = attempt.plan
    let check = DownloadCheck(
      plan.checksum, response, at: attempt.offset, known: attempt.knownDigest)
    let (received, place) = (attempt.file, attempt.name)
    let file = try await runOnGlobalExecutor {
      // What is whole already may have been left by a process that died.
      if case .whole = attempt.outcome { try OpenFile(received, options: .noFollow).sync() }
      try await check.run(on: received) { attempt.isActive }
      // After a cancellation there must be no file.
      guard attempt.isActive else { throw MartletError.cancelled }
      return try await place?.receive(received) ?? received
    }
    if received != plan.partial { plan.removePartial() }
    var response = response
    response.body = ResponseBody(file: file, completion: response.body.completion)
    return response
  }
}

/// What a download has to do beside sending its request.
struct DownloadPlan: Sendable {
  /// Where the bytes lie until the file is complete.
  var partial: URL
  /// What an earlier download left there.
  var resuming: ResumeData?
  /// What the whole file must come to.
  var checksum: Checksum?
  /// Which responses are worth a file. The default takes all.
  var accepts: @Sendable (ResponseHead) -> Bool = { _ in true }
  /// Why a response, of which the first bytes are at hand, is not.
  var rejection: @Sendable (Response, Data) -> MartletError
  /// The final name, once a head is there. The default, `nil`, leaves the file where it is.
  var name: (@Sendable (ResponseHead) throws -> FinalName)?
  /// Notes what will be left, before it is there. The default notes nothing.
  var record: @Sendable (ResumeData) throws -> Void = { _ in }

  init(
    partial: URL, resuming: ResumeData? = nil,
    rejection: @escaping @Sendable (Response, Data) -> MartletError
  ) {
    self.partial = partial
    self.resuming = resuming
    self.rejection = rejection
  }

  /// Whether the file, when it is complete, is known to its task alone.
  var isTemporary: Bool { name == nil && resuming == nil }

  /// Removes what is there: it is of no use.
  func removePartial() {
    try? FileManager.default.removeItem(at: partial)
  }
}
