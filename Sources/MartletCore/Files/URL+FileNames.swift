package import EssentialFoundation
package import SystemPackage

/// The names that files have, are given, and could be given.
extension URL {
  /// More than any system follows.
  private static let maximumLinks = 40

  /// What a symbolic link names, whether there is a file or not; the same URL when it is no link.
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

  /// The same name with a number before its extension, such as `a-1.zip`; for 0 as it is.
  package func numbered(_ number: Int) -> URL {
    guard number > 0 else { return self }
    let name = lastPathComponent
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return deletingLastPathComponent().appendingPathComponent(
      "\(name[..<dot])-\(number)\(name[dot...])")
  }

  /// A hidden file of its own in the same folder, not made of the name, which may be as long as one can be.
  package var partialBeside: URL {
    deletingLastPathComponent().appendingPathComponent(".martlet-\(UUID().uuidString).part")
  }

  /// Renames a file unless something has the new name.
  ///
  /// - Returns: Whether the file has the new name.
  /// - Throws: `Errno`.
  func renamed(to name: URL) throws -> Bool {
    // A link, unlike a rename, never replaces what has come to stand there meanwhile.
    do {
      try FilePath(path).link(to: FilePath(name.path))
    } catch {
      switch error {
      case .fileExists where isOtherName(of: name): break
      case .fileExists: return false
      case .notPermitted, .notSupportedOnSocket, .tooManyLinks:
        return try renamedWithoutLink(to: name)
      default: throw error
      }
    }
    try? FilePath(path).unlink()
    return true
  }

  /// Some file systems know no links: there, looking before renaming is the best there is.
  private func renamedWithoutLink(to name: URL) throws -> Bool {
    guard name.statusOfName == nil else { return false }
    try FilePath(path).rename(to: FilePath(name.path))
    return true
  }

  /// What the system knows of what has this name, be it a symbolic link; `nil` when there is nothing.
  package var statusOfName: Stat? {
    try? Stat(FilePath(path), followTargetSymlink: false)
  }

  /// Whether a file has both names, as when a process ended between giving it one and taking the other.
  func isOtherName(of name: URL) -> Bool {
    guard standardizedFileURL != name.standardizedFileURL, let old = statusOfName,
      let new = name.statusOfName
    else { return false }
    return old.linkCount > 1 && old.isSameFile(as: new)
  }
}
