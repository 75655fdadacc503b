public import Foundation
public import MartletCore

/// Tasks for responses that go into files.
extension URLSessionManager {
  /// Where a file that has been downloaded goes: called with where it is for now, and the response.
  ///
  /// It must be quick. `nil` leaves the file to be deleted (SES-D3).
  public typealias DownloadDestination =
    @Sendable (_ temporaryFile: URL, _ response: Response) -> URL?
  /// Called at the end of a download with the response if one came, where the file is, and the error. A
  /// response that is not acceptable has both: the file, which holds its body, and the error (SES-D8).
  public typealias DownloadCompletion =
    @Sendable (_ response: Response?, _ file: URL?, _ error: MartletError?) -> Void

  /// A task that downloads to a file, without ever holding the body in memory.
  ///
  /// The response serializer checks the response without its body, so that a content type is never an
  /// error (SES-C16). The file is moved to its destination, whose folder must exist, and where no file may
  /// stand; otherwise the error says so, and the file is deleted (in place of SES-D6).
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced.
  ///   - progress: Called after each chunk received. The default is none.
  ///   - destination: Where the file goes. The default, `nil`, deletes it.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    with request: Request, progress: ProgressHandler? = nil,
    destination: DownloadDestination? = nil, completion: @escaping DownloadCompletion
  ) -> SessionTask {
    var request = request
    request.delivery = .file(at: .temporaryDownload)
    let serializer = responseSerializer
    let ending = TaskRunner.Ending(
      serializer: serializer,
      outcome: { task, response in
        await serializer.outcome(ofDownload: response, of: task, to: destination)
      }, completion: { task, file, error in completion(task.response, file as? URL, error) })
    return task(
      with: request, kind: .download, uploadProgress: nil, downloadProgress: progress, ending)
  }
}

extension HTTPResponseSerializing {
  /// What becomes of a response that lies in a file: the file's place, an error, or both.
  func outcome(
    ofDownload response: Response, of task: SessionTask,
    to destination: URLSessionManager.DownloadDestination?
  ) async -> SerializationOutcome {
    guard let file = response.body.file else { return SerializationOutcome() }
    var response = response
    response.body = .empty
    var outcome = SerializationOutcome(error: await outcome(of: response).error)
    do throws(MartletError) {
      let target =
        task.hooks?.asked.onDownloadFinished?(task, file) ?? destination?(file, response)
      outcome.object = try file.moved(to: target)
      if target != nil { task.post(.downloadTaskDidMoveFile) }
    } catch {
      outcome.error = outcome.error ?? error
      task.post(
        .downloadTaskDidFailToMoveFile, SessionTaskCompletion(task, self, outcome))
    }
    return outcome
  }
}

extension URL {
  /// Where a download lies until it has a place: a name of its own among the temporary files.
  static var temporaryDownload: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).martlet")
  }

  /// Moves the file; without a destination, or when it cannot be moved, it is deleted (SES-D4). It may stay
  /// where it is.
  ///
  /// - Parameter destination: Where to.
  /// - Returns: `destination`.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  fileprivate func moved(to destination: URL?) throws(MartletError) -> URL? {
    guard destination != self else { return destination }
    // After a move there is nothing left to delete.
    defer { try? FileManager.default.removeItem(at: self) }
    guard let destination else { return nil }
    do {
      try FileManager.default.moveItem(at: self, to: destination)
      return destination
    } catch {
      let isTaken = FileManager.default.fileExists(atPath: destination.path)
      throw isTaken
        ? .fileExists(destination) : .fileNotWritable(destination, underlying: error)
    }
  }
}
