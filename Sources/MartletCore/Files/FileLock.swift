package import EssentialFoundation
import SystemPackage

/// A file that one process at a time may hold, and that is free when the process has died.
///
/// A file of that name that is not empty is something else, and stays.
package final class FileLock: Sendable {
  /// Another process holds it.
  package struct AlreadyLocked: Error {}

  private let url: URL
  private let descriptor: FileDescriptor

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
      // The last holder may have removed it: then it guards nothing.
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

  /// Waits for its holder.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - timeout: For how long, at most.
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
    if (try? descriptor.stat())?.size == 0 { try? FilePath(url.path).unlink() }
    try? descriptor.close()
  }
}
