package import EssentialFoundation
package import SystemPackage

/// File names.
extension URL {
  /// The most links that are followed. No system follows more.
  private static let maximumLinks = 40

  /// The target of a symbolic link, even if it does not exist; the same URL if it is not a link.
  var followingLinks: URL {
    var url = self
    for _ in 0..<Self.maximumLinks {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else {
        break
      }
      let folder = target.hasPrefix("/") ? "" : url.deletingLastPathComponent().path + "/"
      url = URL(fileURLWithPath: folder + target, isDirectory: false)
    }
    return url
  }

  /// Returns the URL with a number before the extension of the name, such as `a-1.zip`; unchanged for 0.
  package func numbered(_ number: Int) -> URL {
    guard number > 0 else { return self }
    let name = lastPathComponent
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return deletingLastPathComponent().appendingPathComponent(
      "\(name[..<dot])-\(number)\(name[dot...])")
  }

  /// The URL of a new hidden file in the same folder. The new name does not contain the old name, which may already
  /// have the maximum length.
  package var newPartialURL: URL {
    deletingLastPathComponent().appendingPathComponent(".martlet-\(UUID().uuidString).part")
  }

  /// Renames a file unless the new name exists.
  ///
  /// - Returns: Whether the file has the new name.
  /// - Throws: `Errno`.
  func renamed(to name: URL) throws -> Bool {
    // A link, unlike a rename, never replaces a file that has been created meanwhile.
    do {
      try FilePath(path).link(to: FilePath(name.path))
    } catch {
      switch error {
      case .fileExists where isHardLink(to: name): break
      case .fileExists: return false
      case .notPermitted, .notSupportedOnSocket, .tooManyLinks:
        return try renamedWithoutLink(to: name)
      default: throw error
      }
    }
    try? FilePath(path).unlink()
    return true
  }

  /// Renames after checking that the name is free, for file systems without links. The two steps are not atomic.
  private func renamedWithoutLink(to name: URL) throws -> Bool {
    guard name.statusOfName == nil else { return false }
    try FilePath(path).rename(to: FilePath(name.path))
    return true
  }

  /// The status of the file with this name, without following a symbolic link; `nil` if there is none.
  package var statusOfName: Stat? {
    try? Stat(FilePath(path), followTargetSymlink: false)
  }

  /// Whether a file has both names, for example because a process ended between `link` and `unlink`.
  func isHardLink(to name: URL) -> Bool {
    guard standardizedFileURL != name.standardizedFileURL, let old = statusOfName,
      let new = name.statusOfName
    else { return false }
    return old.linkCount > 1 && old.isSameFile(as: new)
  }
}
