import EssentialFoundation
package import SystemPackage

// The system calls on files that swift-system does not have, each with what it throws.

extension FileDescriptor {
  /// Returns when the disk has what was written.
  func sync() throws(Errno) { try check(fsync(rawValue)) }

  /// Gives the file to a user and a group.
  func setOwner(_ user: CInterop.UserID, group: CInterop.GroupID) throws(Errno) {
    try check(fchown(rawValue, user, group))
  }

  /// Sets who may read, write and execute the file.
  func setPermissions(_ permissions: FilePermissions) throws(Errno) {
    try check(fchmod(rawValue, permissions.rawValue))
  }

  /// Takes the file for the process until it is closed; throws `.wouldBlock` when another process has it.
  func lock() throws(Errno) { try check(flock(rawValue, LOCK_EX | LOCK_NB)) }
}

extension FilePath {
  /// Gives the file a second name, which must be free.
  func link(to name: FilePath) throws(Errno) {
    try check(linkat(AT_FDCWD, string, AT_FDCWD, name.string, 0))
  }

  /// Gives the file another name, in place of what has that name.
  func rename(to name: FilePath) throws(Errno) {
    try check(renameat(AT_FDCWD, string, AT_FDCWD, name.string))
  }

  /// Takes the name from the file.
  package func unlink() throws(Errno) { try check(unlinkat(AT_FDCWD, string, 0)) }

  /// Removes a folder in which nothing is.
  package func removeFolder() throws(Errno) {
    try check(unlinkat(AT_FDCWD, string, AT_REMOVEDIR))
  }

  /// Checks that the user that the process acts for may write the file.
  func checkWritable() throws(Errno) { try check(faccessat(AT_FDCWD, string, W_OK, AT_EACCESS)) }
}

private func check(_ result: CInt) throws(Errno) {
  if result != 0 { throw Errno(rawValue: errno) }
}
