public import EssentialFoundation
public import MartletCore
import MartletTransport

/// Downloads for async callers.
extension URLSessionManager {
  /// Called while a body is received, after each chunk and on an event loop: be quick.
  public typealias DownloadProgressHandler = @Sendable (_ progress: TransferProgress) -> Void

  /// Downloads a body to a file, without ever holding it in memory.
  ///
  /// Until the file is complete, what came lies in a hidden file beside it. After a failure that stays, if the
  /// download can be resumed, and the error has `resumeData`; otherwise, and when the calling task is
  /// cancelled, it is removed. A response whose status is not acceptable is an error and leaves no file. Its
  /// content type does not matter, as the body is not decoded.
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - checksum: What the file must come to. The default is `nil`; a `Repr-Digest` or `Content-Digest`
  ///     that the server gives (RFC 9530) must be right in any case.
  ///   - resumeData: What an earlier download of the same URL left. The default, `nil`, begins anew.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError`, with code `.fileNotWritable` when the file cannot be written,
  ///   `.invalidResumeData`, `.unacceptableStatusCode`, `.digestMismatch`, `.wrongRange`, or
  ///   `.bodyLengthMismatch`.
  public func download(
    _ request: Request, to destination: URL, replacesExisting: Bool = false,
    checksum: Checksum? = nil,
    resuming resumeData: ResumeData? = nil, progress: DownloadProgressHandler? = nil
  ) async throws -> URL {
    if let resumeData, resumeData.url != request.url {
      throw MartletError.resumeDataOfOther(resumeData.url, than: request.url)
    }
    let place = DownloadLocation(destination, replacesExisting: replacesExisting)
    var plan = plan(for: request, to: place, checksum: checksum)
    if let resumeData {
      plan.partial = resumeData.file
      plan.resuming = resumeData
    }
    return try await download(request, DownloadContext(plan), progress).file
  }

  /// What a download to a place takes, with a partial file of its own there.
  func plan(for request: Request, to place: DownloadLocation, checksum: Checksum?) -> DownloadPlan {
    let (serializer, url) = (responseSerializer, request.url)
    var plan = DownloadPlan(
      partial: place.partial, rejection: serializer.rejection(of:data:))
    plan.checksum = checksum
    plan.accepts = { serializer.accepts($0, of: url) }
    plan.name = { try place.name($0, url) }
    return plan
  }

  /// The last response, with the file as its body.
  func download(
    _ request: Request, _ download: DownloadContext, _ progress: DownloadProgressHandler?
  )
    async throws -> Response
  {
    var request = request
    let call = request.call ?? Call()
    request.call = call
    if let progress {
      call.observe(.progress) { [weak call] event in
        switch event.kind {
        case .downloadResumed, .bodyReceived: if let call { progress(call.downloadTransfer) }
        default: break
        }
      }
    }
    return try await runner.perform(
      registry.add(request, kind: .download, download: download), over: runner.sessionPipeline)
  }
}

/// Downloads that outlive their process.
extension URLSessionManager {
  /// Downloads a body to a file, or goes on with what a store has of it.
  ///
  /// It is the same download when URL and destination are. What came stays in the store after any failure, and
  /// when the process ends in whatever way, as long as the server says what tells one state of the resource
  /// from another.
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced. Its header fields count, not those of earlier.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - checksum: What the file must come to. The default is `nil`.
  ///   - store: Where what came lies until the file is complete.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError` as
  ///   ``download(_:to:replacesExisting:checksum:resuming:progress:)`` does, and with code `.downloadInUse` when
  ///   the same download is under way, here or in another process.
  public func download(
    _ request: Request, to destination: URL, replacesExisting: Bool = false,
    checksum: Checksum? = nil,
    store: DownloadStore, progress: DownloadProgressHandler? = nil
  ) async throws -> URL {
    let place = DownloadLocation(destination, replacesExisting: replacesExisting)
    let response = try await download(
      request, to: place, checksum: checksum, store: store, progress: progress)
    return try response.file
  }

  /// Goes on with a download of a store, with the request that it was begun with.
  ///
  /// - Parameters:
  ///   - download: One of the store's `downloads`.
  ///   - store: The store.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: As ``download(_:to:replacesExisting:checksum:store:progress:)`` does.
  @discardableResult
  public func resume(
    _ download: StoredDownload, in store: DownloadStore, progress: DownloadProgressHandler? = nil
  ) async throws -> URL {
    try await self.download(
      download.resumeData.request, to: download.destination,
      replacesExisting: download.replacesExisting, checksum: download.checksum, store: store,
      progress: progress)
  }

  /// Downloads to a place, by way of a store if there is one.
  ///
  /// - Returns: The last response, with the file as its body.
  package func download(
    _ request: Request, to place: DownloadLocation, checksum: Checksum?, store: DownloadStore?,
    progress: DownloadProgressHandler?
  ) async throws -> Response {
    var plan = plan(for: request, to: place, checksum: checksum)
    guard let store else { return try await download(request, DownloadContext(plan), progress) }
    let id = StoredDownload.id(request.url, place.url)
    let lock = try store.lock(id, for: request.url)
    defer { withExtendedLifetime(lock) {} }
    let files = StoreFiles(store.folder, id: id)
    let known = try files.read()
    let begun = known?.startDate ?? Date()
    plan.partial = files.partial
    plan.resuming = known.flatMap { $0.resumeData.received > 0 ? $0.resumeData : nil }
    plan.record = { data in
      try files.write(
        StoredDownload(
          data, destination: place.url, replacesExisting: place.replacesExisting,
          checksum: checksum, startDate: begun))
    }
    do {
      // Also when it dies before there is an answer, it is known to have begun.
      if known == nil {
        try plan.record(
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

extension Response {
  /// Where the body is.
  ///
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  var file: URL {
    get throws(MartletError) {
      guard let file = body.file else { throw .notDelivered }
      return file
    }
  }
}
