import CMartletFiles
import EssentialFoundation
package import SystemPackage

// System calls on files that swift-system does not have.

extension FileDescriptor {
  /// Returns when all written bytes are on the disk.
  func sync() throws(Errno) {
    #if canImport(Darwin)
    // `fsync` leaves bytes in the cache of the disk there. Not all file systems support more.
    if fcntl(rawValue, F_FULLFSYNC) == 0 { return }
    #endif
    try check(fsync(rawValue))
  }

  /// Lets the system begin to write the bytes to the disk, without waiting for it. Errors are reported by `sync()`.
  func startWriteback() { martlet_start_writeback(rawValue) }

  /// Changes the owner and the group of the file.
  func setOwner(_ user: CInterop.UserID, group: CInterop.GroupID) throws(Errno) {
    try check(fchown(rawValue, user, group))
  }

  /// Changes the permissions of the file.
  func setPermissions(_ permissions: FilePermissions) throws(Errno) {
    try check(fchmod(rawValue, permissions.rawValue))
  }

  /// Locks the file until it is closed; throws `.wouldBlock` when the lock is held through another descriptor.
  func lock() throws(Errno) { try check(flock(rawValue, LOCK_EX | LOCK_NB)) }
}

extension FilePath {
  /// Gives the file a second name, which must not exist.
  func link(to name: FilePath) throws(Errno) {
    try check(linkat(AT_FDCWD, string, AT_FDCWD, name.string, 0))
  }

  /// Renames the file, and replaces an existing file with the new name.
  package func rename(to name: FilePath) throws(Errno) {
    try check(renameat(AT_FDCWD, string, AT_FDCWD, name.string))
  }

  /// Removes the name from the file.
  package func unlink() throws(Errno) { try check(unlinkat(AT_FDCWD, string, 0)) }

  /// Removes an empty folder.
  package func removeFolder() throws(Errno) {
    try check(unlinkat(AT_FDCWD, string, AT_REMOVEDIR))
  }

  /// Checks that the effective user of the process may write the file.
  func checkWritable() throws(Errno) { try check(faccessat(AT_FDCWD, string, W_OK, AT_EACCESS)) }
}

private func check(_ result: CInt) throws(Errno) {
  if result != 0 { throw Errno(rawValue: errno) }
}
