import Crypto
public import EssentialFoundation
public import MartletCore
import SystemPackage

/// A folder of downloads that outlive their process.
///
///     let store = DownloadStore(folder: cache)
///     let file = try await api.download("big.iso", to: folder, store: store)
///
///     for download in try store.downloads {           // after a restart, whatever ended the process
///       try await session.resume(download, in: store)
///     }
///
/// Each download has a partial file and a record in the folder, which are removed when it is complete. The record is
/// written atomically, before the first byte. While a download is under way, no other process can resume it.
///
/// The records hold the header fields of requests, including credentials. Only the owner can read the records, and a
/// folder that the store has made. The folder should be in the same file system as the destinations, so that a
/// complete file is only renamed.
public struct DownloadStore: Hashable, Sendable {
  /// The folder. It is made when it is needed.
  public let folder: URL

  /// A store in a folder, which need not exist.
  public init(folder: URL) {
    self.folder = folder
  }

  /// The downloads that are not complete, in the order in which they were begun. Records that cannot be read are
  /// skipped; resuming such a download throws an error.
  ///
  /// - Throws: `MartletError` with code `.fileNotReachable` when the folder cannot be read. A folder that does not
  ///   exist has no downloads.
  public var downloads: [StoredDownload] {
    get throws(MartletError) {
      guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
      do {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let ids = names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        let downloads = ids.compactMap { try? StoreFiles(folder, id: $0).read() }
        return downloads.sorted { ($0.startDate, $0.id) < ($1.startDate, $1.id) }
      } catch {
        throw .fileNotReachable(folder, underlying: error)
      }
    }
  }

  /// Gives up a download, and removes its files.
  ///
  /// - Throws: `MartletError` with code `.downloadInUse` when it is under way, or `.fileNotWritable`.
  public func remove(_ download: StoredDownload) throws(MartletError) {
    let lock = try lock(download.id, for: download.resumeData.url)
    withExtendedLifetime(lock) { StoreFiles(folder, id: download.id).remove() }
  }

  /// Removes the folder if it is empty.
  package func removeIfEmpty() {
    try? FilePath(folder.path).removeFolder()
  }

  /// Prevents other tasks and processes from resuming a download.
  func lock(_ id: String, for url: URL) throws(MartletError) -> FileLock {
    do {
      try makeFolder()
      return try FileLock(StoreFiles(folder, id: id).lock)
    } catch is FileLock.AlreadyLocked {
      throw .downloadInUse(url)
    } catch {
      let kind = (try? Stat(FilePath(folder.path)))?.type ?? .directory
      throw kind == .directory ? .fileNotWritable(folder, underlying: error) : .notAFolder(folder)
    }
  }

  /// Makes the folder, which only its owner may read, and the folders around it, if they are missing.
  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}

/// A download that a store has begun, and that is not complete.
public struct StoredDownload: Hashable, Codable, Identifiable, Sendable {
  /// Identifies the download in its store. It is derived from the URL and the destination.
  public let id: String
  /// The destination of the file: a folder, or the file's own URL.
  public let destination: URL
  /// Whether an existing file is replaced.
  public let replacesExisting: Bool
  /// The checksum that the file must have, if the caller gave one.
  public let checksum: Checksum?
  /// The time at which the download was begun.
  public let startDate: Date
  /// The request, and the state of the partial file. The header fields may be changed before the download is resumed,
  /// to replace an old token for example.
  public var resumeData: ResumeData

  /// The names in stored records.
  private enum CodingKeys: String, CodingKey {
    case id, destination, replacesExisting, checksum, resumeData
    case startDate = "begun"
  }

  init(
    _ resumeData: ResumeData, destination: URL, replacesExisting: Bool, checksum: Checksum?,
    startDate: Date
  ) {
    id = Self.id(resumeData.url, destination)
    self.destination = destination
    self.replacesExisting = replacesExisting
    self.checksum = checksum
    self.resumeData = resumeData
    self.startDate = startDate
  }

  static func id(_ url: URL, _ destination: URL) -> String {
    let text = url.absoluteString + "\n" + destination.standardizedFileURL.path
    return String(SHA256.hash(data: Data(text.utf8)).hexadecimal.prefix(32))
  }
}

extension StoredDownload: CustomStringConvertible {
  /// The download as text; secrets are masked.
  public var description: String {
    "<StoredDownload: \(resumeData) to “\(destination.path.masked)”>"
  }
}
