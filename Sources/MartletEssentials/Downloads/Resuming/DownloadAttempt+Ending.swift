import EssentialFoundation
import MartletCore
import NIOCore

/// What follows a response, and what is left when there is none to follow.
extension DownloadAttempt {
  /// Where the body is when it is complete.
  var file: URL {
    if case .decompressing(let file) = outcome { file } else { plan.partial }
  }

  /// Where in the file the body of the response begins.
  var offset: Int64 {
    if case .writing(_, let bytes, _) = outcome { bytes.lowerBound } else { 0 }
  }

  /// What a response has said as `Repr-Digest` of what the file has.
  var knownDigest: String? {
    switch outcome {
    case .writing(_, _, let left): left.digest
    case .whole(let data): data.digest
    default: nil
    }
  }

  /// Whether the download is not cancelled; the engine, which would know, has no part in it any more.
  var isActive: Bool { !Task.isCancelled && original.call?.isCancelled != true }

  /// The attempt that has to follow; `nil` when the file is complete.
  ///
  /// - Throws: `MartletError` when the response is of no use.
  func following(_ response: Response) async throws -> DownloadAttempt? {
    switch outcome {
    case .whole, .decompressing, .undecided: return nil
    case .writing(_, let bytes, var left):
      // A server may send less than was asked for (RFC 9110 §15.3.7), and where it does not say how much there
      // is, only the next question tells.
      let total = left.length ?? (data == nil ? 0 : .max)
      guard bytes.upperBound < total else { return nil }
      left.received = bytes.upperBound
      return DownloadAttempt(plan, original, from: left)
    case .outdated: return DownloadAttempt(plan, original, from: nil)
    case .rejected:
      var response = response
      let beginning = await response.body.beginning()
      response.body = .empty
      throw plan.rejection(response, beginning)
    case .failed(let error): throw error
    }
  }

  /// The error with what the attempt leaves behind; what is of no use is removed.
  ///
  /// - Parameters:
  ///   - error: What happened.
  ///   - keepsPartial: Whether what is of use is kept at all.
  /// - Returns: The error.
  func cleanUp(after error: any Error, keepsPartial: Bool) async -> MartletError {
    var error = MartletError.wrapping(error)
    let left = await left()
    if case .decompressing(let file) = outcome { try? FileManager.default.removeItem(at: file) }
    if keepsPartial, error.code != .digestMismatch, let left, left.isUsable {
      error.resumeData = left
    } else {
      plan.removePartial()
    }
    return error
  }

  private func left() async -> ResumeData? {
    guard case .writing(let file, _, var left) = outcome, let count = await file.stop() else {
      if case .outdated = outcome { return nil }
      return data
    }
    left.received = count
    return left
  }
}

extension ResponseBody {
  /// As many of the first bytes as an error keeps; what goes wrong on the way does not matter.
  fileprivate func beginning() async -> Data {
    var data = Data()
    var chunks = makeAsyncIterator()
    while data.count < MartletError.bodyLimit, let chunk = try? await chunks.next() {
      data += Data(chunk.readableBytesView)
    }
    return data.prefix(MartletError.bodyLimit)
  }
}
