public import EssentialFoundation
import MartletCore
import NIOCore

/// Forms that are written to a file, before they are sent or instead of being sent.
extension HTTPRequestSerializing {
  /// Writes the body of a request to a file, and returns the same request with that file as its body.
  ///
  /// A file can be sent again, and its length is known even if the length of a part of the form is not.
  ///
  /// - Parameters:
  ///   - request: A request with a body, such as a multipart form.
  ///   - file: A file URL. An existing file is replaced when the body is completely written (REQ-M43).
  /// - Returns: The request to send, with all its headers.
  /// - Throws: `MartletError` with code `.invalidRequest` when there is no body, `.notFileURL`, `.fileNotWritable`, or
  ///   the reason why the body cannot be read; `.cancelled` when the calling task is cancelled and the body's producer
  ///   responds to that.
  public func request(from request: Request, writingStreamContentsTo file: URL) async throws
    -> Request
  {
    try request.checkWriting(to: file)
    try await request.body.write(to: file)
    var request = request
    request.body = try .file(at: file)
    return request
  }

  /// Writes the body of a request to a file, and immediately returns the same request without a body.
  ///
  /// - Parameters:
  ///   - request: A request with a body, such as a multipart form.
  ///   - file: A file URL. An existing file is replaced when the body is completely written (REQ-M43).
  ///   - completion: Called on the main queue: with `nil` when the file is complete, or with the error (REQ-M42).
  /// - Returns: The request with all its headers, for sending with the file as its body (REQ-M41).
  /// - Throws: `MartletError` with code `.invalidRequest` when there is no body, or `.notFileURL`.
  public func request(
    from request: Request, writingStreamContentsTo file: URL,
    completion: @escaping @Sendable (MartletError?) -> Void
  ) throws(MartletError) -> Request {
    try request.checkWriting(to: file)
    let body = request.body
    Task {
      let failure = await body.failure(writingTo: file)
      DispatchQueue.main.async { completion(failure) }
    }
    var request = request
    request.body = .empty
    return request
  }
}

extension Request {
  fileprivate func checkWriting(to file: URL) throws(MartletError) {
    guard !body.isEmpty else { throw .noBodyToWrite }
    guard file.isFileURL else { throw .notFileURL(file) }
  }
}

extension RequestBody {
  /// Writes the whole body to a file, which receives its name when it is complete.
  fileprivate func write(to file: URL) async throws(MartletError) {
    let target = PartialFile(FileDestination(url: file, replacesExisting: true))
    let body = checked { .bodyLengthMismatch(announced: $0, sent: $1) }
    do {
      try await runOnGlobalExecutor { try await Self.copy(body, to: target) }
    } catch {
      target.close()
      if error is CancellationError { throw .cancelled }
      throw error as? MartletError ?? .bodyNotReadable(underlying: error)
    }
  }

  /// Writes the whole body to a file, and returns the error instead of throwing it.
  fileprivate func failure(writingTo file: URL) async -> MartletError? {
    do throws(MartletError) {
      try await write(to: file)
      return nil
    } catch {
      return error
    }
  }

  @concurrent
  private static func copy(_ body: RequestBody, to target: PartialFile) async throws {
    try await BodyChunks.write(body) { chunk in
      try target.writing { try target.write([chunk]) }
    }
    try target.writing { try target.complete() }
  }
}

extension PartialFile {
  /// Runs `work` on the file. An error that is not a `MartletError` becomes `.fileNotWritable`.
  fileprivate func writing(_ work: () throws -> Void) throws(MartletError) {
    do {
      try work()
    } catch {
      throw error as? MartletError ?? .fileNotWritable(url, underlying: error)
    }
  }
}
