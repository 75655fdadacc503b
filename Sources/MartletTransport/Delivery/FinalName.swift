package import Foundation
package import MartletCore

/// The name that a complete file gets.
package struct FinalName: Sendable {
  package let url: URL
  /// Whether a file that has the name already is replaced; otherwise that is an error.
  package let replacesExisting: Bool

  package init(_ url: URL, replacesExisting: Bool) {
    self.url = url
    self.replacesExisting = replacesExisting
  }

  /// Finds out before anything is written that the name cannot be had.
  ///
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  package func check() throws(MartletError) {
    guard let status = FileStatus(path: url.path) else { return }
    guard !status.isFolder else { throw .notAFile(url) }
    guard replacesExisting else { throw .fileExists(url) }
  }

  /// Gives the name to a file of the same file system, in one step.
  ///
  /// - Throws: What the system says; `MartletError` when the name is taken.
  package func take(from file: URL) throws {
    if replacesExisting {
      try rename(file)
    } else {
      // A link, unlike a rename, never replaces what has come to stand there meanwhile.
      guard link(file.path, url.path) == 0 else { return try renameWithoutLink(file, errno) }
      unlink(file.path)
    }
  }

  private func rename(_ file: URL) throws {
    guard Foundation.rename(file.path, url.path) == 0 else {
      let number = errno
      try check()
      throw SystemFailure(number: number)
    }
  }

  /// Some file systems know no links: there, looking before renaming is the best there is.
  private func renameWithoutLink(_ file: URL, _ number: CInt) throws {
    let hasNoLinks = number == EPERM || number == EOPNOTSUPP || number == EMLINK
    guard number != EEXIST, !(hasNoLinks && access(url.path, F_OK) == 0) else {
      try check()
      throw MartletError.fileExists(url)
    }
    guard hasNoLinks, Foundation.rename(file.path, url.path) == 0 else {
      throw SystemFailure(number: hasNoLinks ? errno : number)
    }
  }
}
