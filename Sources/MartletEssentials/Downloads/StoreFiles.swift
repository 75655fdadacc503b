import EssentialFoundation
import MartletCore
import SystemPackage

/// The files of one download in a store.
struct StoreFiles: Sendable {
  let partial: URL
  let record: URL
  let lock: URL
  private let id: String

  init(_ folder: URL, id: String) {
    self.id = id
    partial = folder.appendingPathComponent(id + ".part")
    record = folder.appendingPathComponent(id + ".json")
    lock = folder.appendingPathComponent(id + ".lock")
  }

  /// Returns the download, with the current size of its partial file; `nil` when there is no record.
  ///
  /// - Throws: `MartletError` with code `.invalidResumeData`.
  func read() throws(MartletError) -> StoredDownload? {
    guard let data = FileManager.default.contents(atPath: record.path) else { return nil }
    do {
      var download = try JSONDecoder().decode(StoredDownload.self, from: data)
      guard download.id == id else { throw CocoaError(.fileReadCorruptFile) }
      // The folder may have been moved.
      download.resumeData.file = partial
      download.resumeData.received = size
      return download
    } catch {
      throw .unreadableRecord(record, underlying: error)
    }
  }

  /// Whether there is a partial file. A download removes its partial file if it cannot be resumed.
  var hasBytes: Bool { FileManager.default.fileExists(atPath: partial.path) }

  private var size: Int64 { (try? Stat(FilePath(partial.path)))?.size ?? 0 }

  /// Replaces the record atomically, after the new record has been written to the disk.
  ///
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  func write(_ download: StoredDownload) throws(MartletError) {
    let new = record.appendingPathExtension("new")
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try OpenFile.replace(
        record, with: encoder.encode(download), through: new, options: [.create, .truncate])
    } catch {
      throw error as? MartletError ?? .fileNotWritable(record, underlying: error)
    }
  }

  /// Removes all files but the lock. The record is removed last, because a record without a partial file starts the
  /// download from the beginning.
  func remove() {
    for file in [partial, record.appendingPathExtension("new"), record] {
      try? FilePath(file.path).unlink()
    }
  }
}
