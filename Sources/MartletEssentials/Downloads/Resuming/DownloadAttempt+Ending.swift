import EssentialFoundation
import MartletCore
import NIOCore

/// The end of an attempt: the attempt that follows, or the resume data that is left.
extension DownloadAttempt {
  /// The file that has the complete body.
  var file: URL {
    if case .decompressing(let file) = outcome { file } else { plan.partial }
  }

  /// The offset in the file at which the body of the response begins.
  var offset: Int64 {
    if case .writing(_, let bytes, _) = outcome { bytes.lowerBound } else { 0 }
  }

  /// The `Repr-Digest` of the file, if a response had one.
  var knownDigest: String? {
    switch outcome {
    case .writing(_, _, let resumeData): resumeData.digest
    case .whole(let data): data.digest
    default: nil
    }
  }

  /// Whether the download is not cancelled. The engine has finished, so that it reports no cancellation any more.
  var isActive: Bool { !Task.isCancelled && original.call?.isCancelled != true }

  /// Returns the attempt that has to follow; `nil` when the file is complete.
  ///
  /// - Throws: `MartletError` when the response cannot be used.
  func nextAttempt(after response: Response) async throws -> DownloadAttempt? {
    switch outcome {
    case .whole, .decompressing, .undecided: return nil
    case .writing(_, let bytes, var resumeData):
      // A server may send less than requested (RFC 9110 §15.3.7). If it does not send the total length, only another
      // request shows whether there is more.
      let total = resumeData.length ?? (data == nil ? 0 : .max)
      guard bytes.upperBound < total else { return nil }
      resumeData.received = bytes.upperBound
      return DownloadAttempt(plan, original, from: resumeData)
    case .outdated: return DownloadAttempt(plan, original, from: nil)
    case .rejected:
      var response = response
      let beginning = await response.body.beginning()
      response.body = .empty
      throw plan.rejection(response, beginning)
    case .failed(let error): throw error
    }
  }

  /// Adds the resume data to the error, and removes the files that cannot be used.
  ///
  /// - Parameters:
  ///   - error: The error that ended the attempt.
  ///   - keepsPartial: Whether a partial file is kept if it can be used.
  /// - Returns: The error, with the resume data if the partial file is kept.
  func cleanUp(after error: any Error, keepsPartial: Bool) async -> MartletError {
    var error = MartletError.wrapping(error)
    let resumeData = await remainingResumeData()
    if case .decompressing(let file) = outcome { try? FileManager.default.removeItem(at: file) }
    if keepsPartial, error.code != .digestMismatch, let resumeData, resumeData.isUsable {
      error.resumeData = resumeData
    } else {
      plan.removePartial()
    }
    return error
  }

  private func remainingResumeData() async -> ResumeData? {
    guard case .writing(let file, _, var resumeData) = outcome, let count = await file.stop() else {
      if case .outdated = outcome { return nil }
      return data
    }
    resumeData.received = count
    return resumeData
  }
}

extension ResponseBody {
  /// Returns the first bytes, as many as an error keeps. An error while reading is ignored.
  fileprivate func beginning() async -> Data {
    var data = Data()
    var chunks = makeAsyncIterator()
    while data.count < MartletError.bodyLimit, let chunk = try? await chunks.next() {
      data += Data(chunk.readableBytesView)
    }
    return data.prefix(MartletError.bodyLimit)
  }
}
