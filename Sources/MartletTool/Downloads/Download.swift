import EssentialFoundation
import MartletCore
import MartletEssentials
import SystemPackage

/// A download to a file.
struct Download {
  let target: DownloadTarget
  /// Whether it resumes an incomplete download, and keeps what was received for a later run.
  let continues: Bool
  let checksum: Checksum?
  let call: Call
  let display: any ProgressDisplay

  /// A finished download.
  struct Saved {
    let response: Response
    /// The line to print at the end.
    let summary: String
  }

  /// Sends the request and returns when the file is complete.
  ///
  /// - Throws: `ToolFailure` when the response is not a success, when there is no file name, or when the file cannot be
  ///   written; `MartletError` when the exchange fails. Then no file is written under the name.
  func run(_ request: Request, over session: URLSessionManager) async throws -> Saved {
    var request = request
    request.call = call
    let response = try await receive(request, over: session)
    let name = target.path ?? response.body.file?.lastPathComponent ?? "download"
    let summary = Self.summary(
      call.downloadTransfer, took: response.metrics.totalDuration, name: name)
    return Saved(response: response, summary: summary)
  }

  private func receive(_ request: Request, over session: URLSessionManager) async throws -> Response
  {
    if continues { try target.checkFolder() }
    let store = continues ? target.store : nil
    defer {
      display.finish()
      store?.removeIfEmpty()
    }
    do {
      return try await session.download(
        request, to: target.location, checksum: checksum, store: store
      ) { [display] in display.update($0) }
    } catch let error as MartletError {
      if !continues { error.resumeData?.discard() }
      throw failure(error)
    }
  }

  /// The error to report. It is the library's, unless the tool can describe the failure more exactly.
  private func failure(_ error: MartletError) -> any Error {
    if let failure = error.underlying as? ToolFailure { return failure }
    if let path = target.path, let file = target.file, error.code == .fileNotWritable {
      return error.replacingPath(of: file, with: path)
    }
    guard error.code == .unacceptableStatusCode, let head = error.response else { return error }
    let status = ExitStatus(checking: head.status.code, followsRedirects: false)
    let refusal = (error.underlying as? MartletError).map { " " + $0.message } ?? ""
    return ToolFailure(
      "The server answered \(ResponseText.status(head)): nothing was saved.\(refusal)",
      status: status == .success ? .failure : status)
  }

  /// The line to print at the end: `Saved 10 MB as big.iso in 4 s (2.5 MB/s).`
  static func summary(_ progress: TransferProgress, took time: Duration, name: String) -> String {
    let rate = progress.bytesPerSecond.map { " (\(ProgressBar.rate($0)))" } ?? ""
    let earlier = progress.resumeOffset
    let before = earlier > 0 ? ", \(ByteCount.text(earlier)) of it earlier" : ""
    return
      "Saved \(ByteCount.text(progress.completed)) as \(name.masked) in \(time.brief)\(rate)\(before)."
  }
}

/// The destination of a download.
///
/// An existing file is replaced only if the command line names it.
struct DownloadTarget {
  /// The path on the command line, if there is one.
  let path: String?

  /// The file that the command line names.
  var file: URL? { path.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath() } }

  /// The destination in the form that the library uses.
  var location: DownloadLocation {
    if let file { return DownloadLocation(file: file, replacesExisting: true) }
    return DownloadLocation(folder: Self.here) { head, url in
      FinalName(
        Self.here.appendingPathComponent(try DownloadName.choose(head, url: url)), ifTaken: .number)
    }
  }

  /// The store of incomplete downloads. It is in the directory of the file, so that a complete file is renamed in one
  /// step.
  var store: DownloadStore {
    let folder = file?.deletingLastPathComponent()
    return DownloadStore(folder: (folder ?? Self.here).appendingPathComponent(".martlet-downloads"))
  }

  /// Checks that the directory of the file exists. A store would make it.
  func checkFolder() throws(MartletError) {
    guard let path, let folder = file?.deletingLastPathComponent() else { return }
    guard (try? Stat(FilePath(folder.path)))?.type == .directory else {
      throw .fileNotWritable(path, underlying: Errno.noSuchFileOrDirectory)
    }
  }

  private static var here: URL {
    URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
  }
}

/// The file name of a download when the command line gives none.
enum DownloadName {
  /// The name of a file in the current directory.
  ///
  /// - Throws: `ToolFailure` when neither the response nor the URL gives a name.
  static func choose(_ head: ResponseHead, url: URL) throws(ToolFailure) -> String {
    guard let name = head.suggestedFileName(from: url) else {
      throw ToolFailure("Neither the response nor the URL names a file: give a name with --output.")
    }
    return name
  }
}
