package import Foundation
import MartletCore

/// A file that one process at a time may hold, and that is free when the process has died.
///
/// A file of that name that is not empty is something else, and stays.
package final class FileLock: Sendable {
  /// Another process holds it.
  package struct Taken: Error {}

  private let url: URL
  private let descriptor: CInt

  /// - Throws: `Taken`, or what the system says.
  init(_ url: URL) throws {
    self.url = url
    while true {
      let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw SystemFailure(number: errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let number = errno
        close(descriptor)
        throw number == EWOULDBLOCK ? Taken() : SystemFailure(number: number)
      }
      // The last holder may have removed it: then it guards nothing.
      guard OpenFile.isStill(descriptor, at: url) else {
        close(descriptor)
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
  ///   - patience: For how long, at most.
  /// - Throws: `Taken`, or what the system says.
  package convenience init(_ url: URL, patience: Duration) throws {
    let deadline = ContinuousClock.now + patience
    while true {
      do {
        try self.init(url)
        return
      } catch let taken as Taken {
        guard ContinuousClock.now < deadline else { throw taken }
        usleep(5000)
      }
    }
  }

  deinit {
    if FileStatus(descriptor: descriptor)?.size == 0 { unlink(url.path) }
    close(descriptor)
  }
}
