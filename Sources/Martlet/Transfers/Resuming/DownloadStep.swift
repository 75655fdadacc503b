import Foundation
import MartletCore

/// Puts a body into a file, goes on where an earlier download ended, and checks what came.
///
/// It asks again, in one task and with the same handle, when what is there turns out to be of something that
/// the server has no more, or when less came than was asked for.
struct DownloadStep: Step {
  let plan: DownloadPlan
  /// Whether bytes are kept when the download is cancelled.
  let keepsCancelled: Locked<Bool>

  init(_ plan: DownloadPlan, keepsCancelled: Bool = false) {
    self.plan = plan
    self.keepsCancelled = Locked(keepsCancelled)
  }

  /// Downloads, and returns the last response with the file as its body.
  ///
  /// - Throws: `MartletError`, with resume data when what came is of use.
  func send(_ request: Request, next: any Transport) async throws -> Response {
    let data = try plan.resuming?.checked()
    var attempt = DownloadAttempt(plan, request, from: data.flatMap { $0.isOfUse ? $0 : nil })
    do {
      while true {
        let response = try await next.send(try attempt.request)
        guard let following = try await attempt.following(response) else {
          return try await finish(response, attempt)
        }
        attempt = following
      }
    } catch {
      let isCancelled = (error as? MartletError)?.code == .cancelled || error is CancellationError
      // Whoever resumed it knows of the partial file, and may want to try again.
      let keeps = !isCancelled || keepsCancelled.current || plan.resuming != nil
      throw await attempt.leave(error, keeps: keeps)
    }
  }

  private func finish(_ response: Response, _ attempt: DownloadAttempt) async throws -> Response {
    let check = DownloadCheck(
      plan.checksum, response, at: attempt.offset, known: attempt.knownDigest)
    let (received, place) = (attempt.file, attempt.name)
    let file = try await elsewhere {
      // What is whole already may have been left by a process that died.
      if case .whole = attempt.course { try OpenFile(received, flags: O_NOFOLLOW).sync() }
      try await check.run(on: received) { attempt.isWanted }
      // Whoever has cancelled meanwhile wants no file.
      guard attempt.isWanted else { throw MartletError.cancelled }
      return try await place?.receive(received) ?? received
    }
    if received != plan.partial { plan.removePartial() }
    var response = response
    response.body = ResponseBody(file: file, completion: response.body.completion)
    return response
  }
}
