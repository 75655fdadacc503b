public import EssentialFoundation
public import MartletCore
public import MartletEssentials

/// Records the requests and responses of a session in the format HAR 1.2.
///
///     let recorder = HTTPArchiveRecorder()
///     let api = HTTPSessionManager(baseURL: url) { $0.observers = [recorder] }
///     …
///     try recorder.write(to: URL(fileURLWithPath: "run.har"))
///
/// Each request that is sent is an entry, with its timings: a redirect, a retry or a challenge has entries of its own. The
/// fields and parameters that are credentials are masked, unless asked for, also in bodies that are forms or JSON. The bodies
/// of requests and of the responses that callers receive are kept up to a limit.
public final class HTTPArchiveRecorder: SessionObserver {
  private let entries: ArchiveEntries
  private let options: ArchiveOptions

  /// A recorder without entries.
  ///
  /// - Parameters:
  ///   - bodyLimit: The size in bytes from which a body is not kept. The default is 64 KiB.
  ///   - maximumEntries: How many entries are kept; of more, the oldest are dropped. The default is 10 000.
  ///   - totalBodyLimit: The size in bytes of all bodies together, as text, beyond which the oldest entries are dropped. Bodies of
  ///     more than three eighths of it are not kept. The default is 64 MiB.
  ///   - showsSecrets: Whether the archive has passwords, tokens and cookies. The default is false.
  public init(
    bodyLimit: Int = 64 << 10, maximumEntries: Int = 10_000, totalBodyLimit: Int = 64 << 20,
    showsSecrets: Bool = false
  ) {
    entries = ArchiveEntries(limit: maximumEntries, bodySizeLimit: totalBodyLimit)
    // Both bodies of one entry fit into the limit of all, also in Base64.
    let longest = min(max(bodyLimit, 0), max(totalBodyLimit, 0) / 8 * 3)
    options = ArchiveOptions(bodyLimit: longest, showsSecrets: showsSecrets)
  }

  /// Returns the recorder of a call.
  public func observer(of task: SessionTask) -> (any CallObserver)? {
    EntryRecorder(task, entries, options)
  }

  /// The archive of all that was recorded so far.
  public var archive: HTTPArchive {
    let (entries, dropped) = entries.current
    return HTTPArchive(
      entries: entries, comment: dropped > 0 ? "\(dropped) earlier entries were dropped." : nil)
  }

  /// Writes the archive to a file, which is replaced if it exists. Only its owner may read a new file.
  ///
  /// - Parameter file: The file.
  /// - Throws: `MartletError` with code `.fileNotWritable`. The file is as it was then.
  public func write(to file: URL) throws(MartletError) {
    try archive.write(to: file)
  }
}
