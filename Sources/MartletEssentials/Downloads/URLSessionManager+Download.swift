public import EssentialFoundation
public import MartletCore
import MartletTransport

/// Downloads for async callers.
extension URLSessionManager {
  /// Downloads a body to a file, without holding it in memory.
  ///
  /// Until the download is complete, the bytes received are in a hidden file in the folder of the final file. After a
  /// failure, this partial file is kept if the download can be resumed, and the error has `resumeData`. Otherwise it is
  /// removed. It is also removed when the calling task is cancelled, unless `resumeData` was given. A response whose
  /// status is not acceptable is an error, and its body is not written to a file. The content type does not matter,
  /// because the body is not decoded.
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether an existing file is replaced; otherwise it is an error. The default is false.
  ///   - checksum: The checksum that the file must have. The default is `nil`. With or without it, the file must match
  ///     the SHA-256 or SHA-512 in the `Repr-Digest` or `Content-Digest` of the response (RFC 9530). These fields are
  ///     ignored for a compressed body.
  ///   - resumeData: The resume data of an earlier download of the same URL. The default, `nil`, starts from the
  ///     beginning.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: The URL of the file, and the response.
  /// - Throws: `MartletError`, for example with code `.fileNotWritable` when the file cannot be written,
  ///   `.invalidResumeData`, `.unacceptableStatusCode`, `.digestMismatch`, `.wrongRange`, or `.bodyLengthMismatch`.
  public func download(
    _ request: Request, to destination: URL, replacesExisting: Bool = false,
    checksum: Checksum? = nil,
    resuming resumeData: ResumeData? = nil, progress: TransferProgress.Handler? = nil
  ) async throws -> DownloadedFile {
    if let resumeData, resumeData.url != request.url {
      throw MartletError.resumeDataOfOther(resumeData.url, than: request.url)
    }
    let location = DownloadLocation(destination, replacesExisting: replacesExisting)
    var plan = plan(for: request, to: location, checksum: checksum)
    if let resumeData {
      plan.partial = resumeData.file
      plan.resuming = resumeData
    }
    return try DownloadedFile(try await download(request, DownloadContext(plan), progress))
  }

  /// Returns the plan of a download to `location`, with a new partial file there.
  func plan(for request: Request, to location: DownloadLocation, checksum: Checksum?)
    -> DownloadPlan
  {
    let (serializer, url) = (responseSerializer, request.url)
    var plan = DownloadPlan(
      partial: location.partial, rejection: serializer.rejection(of:data:))
    plan.checksum = checksum
    plan.accepts = { serializer.accepts($0, of: url) }
    plan.name = { try location.name($0, url) }
    return plan
  }

  /// Downloads, and returns the last response with the file as its body.
  func download(
    _ request: Request, _ download: DownloadContext, _ progress: TransferProgress.Handler?
  )
    async throws -> Response
  {
    try await send(request, kind: .download, download: download) { call in
      if let progress { call.observeDownload(progress) }
    }
  }
}

/// Downloads that outlive their process.
extension URLSessionManager {
  /// Downloads a body to a file, or resumes the download if a store has a part of it.
  ///
  /// Requests with the same URL and the same destination are the same download. If the response has a strong `ETag` or
  /// `Last-Modified`, the bytes received stay in the store after any end of the process, and after any failure except
  /// `.digestMismatch`.
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced. Its header fields are used, not those of the earlier request.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether an existing file is replaced; otherwise it is an error. The default is false.
  ///   - checksum: The checksum that the file must have. The default is `nil`.
  ///   - store: The store that keeps the bytes received until the file is complete.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: The URL of the file, and the response.
  /// - Throws: `MartletError` as
  ///   ``download(_:to:replacesExisting:checksum:resuming:progress:)`` does, and with code `.downloadInUse` when
  ///   the same download is under way, here or in another process.
  public func download(
    _ request: Request, to destination: URL, replacesExisting: Bool = false,
    checksum: Checksum? = nil,
    store: DownloadStore, progress: TransferProgress.Handler? = nil
  ) async throws -> DownloadedFile {
    let location = DownloadLocation(destination, replacesExisting: replacesExisting)
    let response = try await download(
      request, to: location, checksum: checksum, store: store, progress: progress)
    return try DownloadedFile(response)
  }

  /// Resumes a download of a store, with the request that is stored.
  ///
  /// - Parameters:
  ///   - download: One of the store's `downloads`.
  ///   - store: The store.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: The URL of the file, and the response.
  /// - Throws: As ``download(_:to:replacesExisting:checksum:store:progress:)`` does.
  @discardableResult
  public func resume(
    _ download: StoredDownload, in store: DownloadStore, progress: TransferProgress.Handler? = nil
  ) async throws -> DownloadedFile {
    try await self.download(
      download.resumeData.request, to: download.destination,
      replacesExisting: download.replacesExisting, checksum: download.checksum, store: store,
      progress: progress)
  }

  /// Downloads to `location`, through a store if there is one.
  ///
  /// - Returns: The last response, with the file as its body.
  package func download(
    _ request: Request, to location: DownloadLocation, checksum: Checksum?, store: DownloadStore?,
    progress: TransferProgress.Handler?
  ) async throws -> Response {
    var plan = plan(for: request, to: location, checksum: checksum)
    guard let store else { return try await download(request, DownloadContext(plan), progress) }
    let id = StoredDownload.id(request.url, location.url)
    let lock = try store.lock(id, for: request.url)
    defer { withExtendedLifetime(lock) {} }
    let files = StoreFiles(store.folder, id: id)
    let known = try files.read()
    let begun = known?.startDate ?? Date()
    plan.partial = files.partial
    plan.resuming = known.flatMap { $0.resumeData.received > 0 ? $0.resumeData : nil }
    let record = { @Sendable data in
      try files.write(
        StoredDownload(
          data, destination: location.url, replacesExisting: location.replacesExisting,
          checksum: checksum, startDate: begun))
    }
    plan.record = record
    do {
      // The record shows that the download has begun, even if the process dies before there is a response.
      if known == nil {
        try record(
          ResumeData(url: request.url, headers: request.headers, file: files.partial))
      }
      let response = try await download(
        request, DownloadContext(plan, keepsPartialOnCancel: true), progress)
      files.remove()
      return response
    } catch let error as MartletError {
      if !files.hasBytes { files.remove() }
      throw error
    }
  }
}

/// A file that has been downloaded.
public struct DownloadedFile: Sendable {
  /// The location of the file.
  public let url: URL
  /// The response; its body is the file.
  public let response: Response

  /// - Throws: `MartletError` with code `.fileNotWritable` if the body is not in a file.
  init(_ response: Response) throws(MartletError) {
    guard let url = response.body.file else { throw .notDelivered }
    self.url = url
    self.response = response
  }
}
