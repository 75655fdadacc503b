import CoreFoundation  // which the compiler takes for the owner of `stat` on Linux
import Foundation

/// In which state a file is: what tells, for the price of one system call, that it has changed.
struct FileVersion: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// `nil` when there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
    let changed = status.st_mtimespec
    #else
    let changed = status.st_mtim
    #endif
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    (seconds, nanoseconds) = (Int(changed.tv_sec), Int(changed.tv_nsec))
  }
}
