import EssentialFoundation
import MartletCore

/// The use of response serializers for downloads.
extension HTTPResponseSerializing {
  /// Checks the response of a download and moves its file; returns the file's URL, an error, or both.
  func outcome(
    ofDownload response: Response, of task: SessionTask,
    to destination: URLSessionManager.DownloadDestination?,
    check: @Sendable (Response) async -> MartletError?
  ) async -> SerializationOutcome {
    guard let file = response.body.file else { return SerializationOutcome() }
    var response = response
    response.body = .empty
    var outcome = SerializationOutcome(error: await check(response))
    let target =
      task.hooks?.sessionHooks.onDownloadFinished?(task, file) ?? destination?(file, response)
    do throws(MartletError) {
      let durability = task.download?.plan.durability(of: task.originalRequest)
      outcome.object = try await file.moved(to: target, durability ?? .written)
      if target != nil { task.notify(.fileMoved) }
    } catch {
      outcome.error = outcome.error ?? error
      task.notify(.fileNotMoved, SessionTaskCompletion(task, self, outcome))
    }
    return outcome
  }

  /// Whether a response is acceptable, judged before its body has arrived: without a body, no content type is an error
  /// (RES-V4).
  func accepts(_ head: ResponseHead, of url: URL) -> Bool {
    do {
      try validate(Response(head: head, url: url), data: Data())
      return true
    } catch {
      return false
    }
  }

  /// Returns the error of a response that is not acceptable.
  func rejection(of response: Response, data: Data) -> MartletError {
    do {
      try validate(response, data: data)
      // A serializer that checks bodies may accept the response with its body; but there is no file.
      try validate(response, data: Data())
      return .bodyTruncated(received: Int64(data.count), of: response.head.contentLength)
    } catch {
      return .serialization(error, as: Data.self, of: response, data: data)
    }
  }
}
