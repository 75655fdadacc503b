package import EssentialFoundation
import SystemPackage

/// A lock file that has one holder at a time, in all processes. The system releases the lock when the process ends.
///
/// The file is removed at the end if it is empty. A file with contents, a device or a pipe is not a lock file, and is
/// kept.
package final class FileLock: Sendable {
  /// The lock is held by another `FileLock`, in this or another process.
  package struct AlreadyLocked: Error {}

  private let url: URL
  private let descriptor: FileDescriptor

  /// Takes the lock.
  ///
  /// - Throws: `AlreadyLocked`, or `Errno`.
  package init(_ url: URL) throws {
    self.url = url
    while true {
      let descriptor = try FileDescriptor.open(
        FilePath(url.path), .readWrite, options: [.create, .closeOnExec],
        permissions: .ownerReadWrite)
      do {
        try descriptor.lock()
      } catch {
        try? descriptor.close()
        throw error == .wouldBlock ? AlreadyLocked() : error
      }
      // The last holder may have removed the file. A lock on a removed file excludes no other process.
      guard let held = try? descriptor.stat(), let named = try? Stat(FilePath(url.path)),
        held.isSameFile(as: named)
      else {
        try? descriptor.close()
        continue
      }
      self.descriptor = descriptor
      return
    }
  }

  /// Takes the lock, and waits while another `FileLock` holds it, in this or another process.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - timeout: The longest wait.
  /// - Throws: `AlreadyLocked`, or `Errno`.
  package convenience init(_ url: URL, timeout: Duration) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      do {
        try self.init(url)
        return
      } catch let taken as AlreadyLocked {
        guard ContinuousClock.now < deadline else { throw taken }
        usleep(5000)
      }
    }
  }

  deinit {
    if let status = try? descriptor.stat(), status.type == .regular, status.size == 0 {
      try? FilePath(url.path).unlink()
    }
    try? descriptor.close()
  }
}
