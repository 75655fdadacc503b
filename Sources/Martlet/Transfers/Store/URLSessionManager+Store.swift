public import Foundation
public import MartletCore

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
  ///   - replacing: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - checksum: What the file must come to. The default is `nil`.
  ///   - store: Where what came lies until the file is complete.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError` as
  ///   ``download(_:to:replacing:checksum:resuming:progress:)`` does, and with code `.downloadInUse` when
  ///   the same download is under way, here or in another process.
  public func download(
    _ request: Request, to destination: URL, replacing: Bool = false, checksum: Checksum? = nil,
    store: DownloadStore, progress: DownloadObserver? = nil
  ) async throws -> URL {
    let place = DownloadPlace(destination, replacesExisting: replacing)
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
  /// - Throws: As ``download(_:to:replacing:checksum:store:progress:)`` does.
  @discardableResult
  public func resume(
    _ download: StoredDownload, in store: DownloadStore, progress: DownloadObserver? = nil
  ) async throws -> URL {
    try await self.download(
      download.resumeData.request, to: download.destination,
      replacing: download.replacesExisting, checksum: download.checksum, store: store,
      progress: progress)
  }

  /// Downloads to a place, by way of a store if there is one.
  ///
  /// - Returns: The last response, with the file as its body.
  package func download(
    _ request: Request, to place: DownloadPlace, checksum: Checksum?, store: DownloadStore?,
    progress: DownloadObserver?
  ) async throws -> Response {
    var plan = plan(for: request, to: place, checksum: checksum)
    guard let store else { return try await download(request, Download(plan), progress) }
    let id = StoredDownload.id(request.url, place.url)
    let lock = try store.lock(id, for: request.url)
    defer { withExtendedLifetime(lock) {} }
    let files = StoreFiles(store.folder, id: id)
    let known = try files.read()
    let begun = known?.begun ?? Date()
    plan.partial = files.partial
    plan.resuming = known.flatMap { $0.resumeData.received > 0 ? $0.resumeData : nil }
    plan.record = { data in
      try files.write(
        StoredDownload(
          data, destination: place.url, replacesExisting: place.replacesExisting,
          checksum: checksum, begun: begun))
    }
    do {
      // Also when it dies before there is an answer, it is known to have begun.
      if known == nil {
        try plan.record(
          ResumeData(url: request.url, headers: request.headers, file: files.partial))
      }
      let response = try await download(
        request, Download(plan, keepsCancelled: true), progress)
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
