package import EssentialFoundation
package import MartletCore
import SystemPackage

/// Where a download goes: to a file, or into a folder.
package struct DownloadLocation: Sendable {
  /// Names a file when the head of a response is there; the URL is the one asked for.
  package typealias Naming = @Sendable (_ head: ResponseHead, _ url: URL) throws -> FinalName

  /// The file, or the folder.
  let url: URL
  /// Whether a file that stands there is replaced.
  let replacesExisting: Bool
  /// Names the file.
  let name: Naming
  private let isFolder: Bool

  /// A file, or a folder, in which the server has a say in the name.
  init(_ url: URL, replacesExisting: Bool) {
    self.url = url
    self.replacesExisting = replacesExisting
    let isFolder = (try? Stat(FilePath(url.path)))?.type == .directory
    self.isFolder = isFolder
    name = { head, source in
      let name = isFolder ? head.suggestedFileName(from: source) ?? "download" : nil
      let file = name.map { url.appendingPathComponent($0) } ?? url
      return FinalName(file, replacesExisting: replacesExisting)
    }
  }

  /// A folder, in which files are named as `name` says.
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

  /// A partial file of its own, from which the file can get its name in one step.
  var partial: URL {
    guard !isFolder else { return url.appendingPathComponent("download").partialBeside }
    return FinalName(url, replacesExisting: replacesExisting).resolvedURL.partialBeside
  }
}

extension URL {
  /// Where a download lies until it has a place: a name of its own among the temporary files.
  static var temporaryDownload: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).martlet")
  }

  /// Moves the file; without a destination, or when it cannot be moved, it is deleted (SES-D4). It may stay
  /// where it is.
  ///
  /// - Parameter destination: Where to.
  /// - Returns: `destination`.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  func moved(to destination: URL?) async throws(MartletError) -> URL? {
    guard destination != self else { return destination }
    // After a move there is nothing left to delete.
    defer { try? FileManager.default.removeItem(at: self) }
    guard let destination else { return nil }
    return try await FinalName(destination, replacesExisting: false).receive(self)
  }
}
