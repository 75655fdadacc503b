public import Foundation
public import HTTPTypes
public import MartletCore

extension HTTPSessionManager {
  /// Downloads a body to a file, without ever holding it in memory.
  ///
  ///     let file = try await api.download("big.iso", to: folder) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// Until the file is complete, what came lies in a hidden file beside it. After a failure that stays, if the
  /// download can be resumed, and the error has `resumeData`; otherwise, and when the calling task is
  /// cancelled, it is removed. A response whose status is not acceptable is an error and leaves no file. Its
  /// content type does not matter, as the body is not decoded.
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query. The default is none.
  ///   - headers: Replace what the request serializer set. The default is none.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacing: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - checksum: What the file must come to. The default is `nil`; a `Repr-Digest` or `Content-Digest`
  ///     that the server gives (RFC 9530) must be right in any case.
  ///   - resumeData: What an earlier download of the same URL left. The default, `nil`, begins anew.
  ///   - progress: Called after each chunk received, on an event loop: be quick. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError`; see ``URLSessionManager/download(_:to:replacing:checksum:resuming:progress:)``.
  public func download(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:], to destination: URL,
    replacing: Bool = false, checksum: Checksum? = nil, resuming resumeData: ResumeData? = nil,
    progress: URLSessionManager.DownloadObserver? = nil
  ) async throws -> URL {
    try await session.download(
      try request(.get, path, parameters: parameters, headers: headers), to: destination,
      replacing: replacing, checksum: checksum, resuming: resumeData, progress: progress)
  }

  /// Downloads a body to a file, or goes on with what a store has of it.
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query. The default is none.
  ///   - headers: Replace what the request serializer set. The default is none.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacing: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - checksum: What the file must come to. The default is `nil`.
  ///   - store: Where what came lies until the file is complete.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError`; see ``URLSessionManager/download(_:to:replacing:checksum:store:progress:)``.
  public func download(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:], to destination: URL,
    replacing: Bool = false, checksum: Checksum? = nil, store: DownloadStore,
    progress: URLSessionManager.DownloadObserver? = nil
  ) async throws -> URL {
    try await session.download(
      try request(.get, path, parameters: parameters, headers: headers), to: destination,
      replacing: replacing, checksum: checksum, store: store, progress: progress)
  }
}
