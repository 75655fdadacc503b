package import EssentialFoundation
package import MartletCore
import SystemPackage

/// The destination of a download: a file, or a folder.
package struct DownloadLocation: Sendable {
  /// Returns the final name of a file, given the head of a response and the requested URL.
  package typealias Naming = @Sendable (_ head: ResponseHead, _ url: URL) throws -> FinalName

  /// The file, or the folder.
  let url: URL
  /// Whether an existing file is replaced.
  let replacesExisting: Bool
  /// Names the file.
  let name: Naming
  private let isFolder: Bool

  /// A file; or a folder, in which the file gets the name that the server suggests. A URL that ends in a slash is a folder,
  /// even if it does not exist: then nothing can be written to it.
  init(_ url: URL, replacesExisting: Bool) {
    self.url = url
    self.replacesExisting = replacesExisting
    let isFolder =
      url.hasDirectoryPath || (try? Stat(FilePath(url.path)))?.type == .directory
    self.isFolder = isFolder
    name = { head, source in
      let name = isFolder ? head.suggestedFileName(from: source) ?? "download" : nil
      let file = name.map { url.appendingPathComponent($0) } ?? url
      return FinalName(file, replacesExisting: replacesExisting)
    }
  }

  /// A folder, in which `name` determines the names of files.
  package init(folder: URL, naming name: @escaping Naming) {
    url = folder
    replacesExisting = false
    isFolder = true
    self.name = name
  }

  /// A file.
  package init(file: URL, replacesExisting: Bool) {
    url = file
    self.replacesExisting = replacesExisting
    isFolder = false
    name = { _, _ in FinalName(file, replacesExisting: replacesExisting) }
  }

  /// The URL of a new partial file, which can be renamed to the final file in one step.
  var partial: URL {
    guard !isFolder else { return url.appendingPathComponent("download").newPartialURL }
    return FinalName(url, replacesExisting: replacesExisting).resolvedURL.newPartialURL
  }
}

extension URL {
  /// A new URL among the temporary files, for a download that has no destination yet.
  static var temporaryDownload: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).martlet")
  }

  /// Moves the file. Without a destination, or when it cannot be moved, it is deleted (SES-D4). A file that is at its
  /// destination already stays there.
  ///
  /// - Parameters:
  ///   - destination: The new URL of the file.
  ///   - durability: How far the file is on its way to the disk then.
  /// - Returns: `destination`.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  func moved(to destination: URL?, _ durability: FileDurability) async throws(MartletError) -> URL?
  {
    guard destination != self else { return destination }
    // After a move there is nothing left to delete.
    defer { try? FileManager.default.removeItem(at: self) }
    guard let destination else { return nil }
    return try await FinalName(destination, replacesExisting: false).moveOrCopy(
      from: self, durability)
  }
}
