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
/// Each download has a partial file and a record there, which are gone when it is complete. The record is
/// written before the first byte is, in one step. While a download is under way, no other process can go on
/// with it.
///
/// The records hold the header fields of requests, credentials among them; a folder that the store makes, and
/// all records, are for their owner's eyes only. For the final step to be but a change of name, the folder
/// should be in the same file system as the destinations.
public struct DownloadStore: Hashable, Sendable {
  /// The folder. It is made when it is needed.
  public let folder: URL

  /// A store in a folder, which need not exist.
  public init(folder: URL) {
    self.folder = folder
  }

  /// The downloads that are not complete, those begun first before the others. Records that cannot be read
  /// are passed over; resuming what they are about says so.
  ///
  /// - Throws: `MartletError` with code `.fileNotReachable` when the folder cannot be read. One that is not
  ///   there has no downloads.
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

  /// Gives a download up, and removes what there is of it.
  ///
  /// - Throws: `MartletError` with code `.downloadInUse` when it is under way, or `.fileNotWritable`.
  public func remove(_ download: StoredDownload) throws(MartletError) {
    let lock = try lock(download.id, for: download.resumeData.url)
    withExtendedLifetime(lock) { StoreFiles(folder, id: download.id).remove() }
  }

  /// Removes the folder if there is nothing in it.
  package func removeIfEmpty() {
    try? FilePath(folder.path).removeFolder()
  }

  /// Keeps other tasks and processes from resuming a download.
  func lock(_ id: String, for url: URL) throws(MartletError) -> FileLock {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      return try FileLock(StoreFiles(folder, id: id).lock)
    } catch is FileLock.AlreadyLocked {
      throw .downloadInUse(url)
    } catch {
      throw .fileNotWritable(folder, underlying: error)
    }
  }
}

/// A download that a store has begun, and that is not complete.
public struct StoredDownload: Hashable, Codable, Identifiable, Sendable {
  /// Tells the downloads of a store apart: what it is made of is the URL and the destination.
  public let id: String
  /// Where the file goes: a folder, or the file's own URL.
  public let destination: URL
  /// Whether a file that stands there is replaced.
  public let replacesExisting: Bool
  /// What the file must come to, if the caller said so.
  public let checksum: Checksum?
  /// When it was begun.
  public let startDate: Date
  /// The request, and what there is. The header fields may be changed before it is resumed, to put a new token
  /// in place of an old one for example.
  public var resumeData: ResumeData

  /// The names that stored records have.
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
