import Foundation
import Martlet
import MartletCore

/// A file that the command line names to be read.
struct GivenFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Finds out whether the file can be read. It is not opened: a pipe gives its bytes only once.
  ///
  /// - Throws: `ToolFailure` with the system's reason when it cannot.
  func check() throws(ToolFailure) {
    guard access(path, R_OK) == 0 else { throw unreadable(errno) }
    guard type != .typeDirectory else { throw unreadable(EISDIR) }
  }

  /// Finds out whether the file can be read, and has a length.
  ///
  /// - Throws: `ToolFailure` when it cannot, or is a pipe or a device.
  func checkRegular() throws(ToolFailure) {
    try check()
    guard type == .typeRegular else {
      throw ToolFailure(
        "“\(path.masked)” is not a regular file: copy it into one, or send it on standard input.")
    }
  }

  /// All that the file holds.
  ///
  /// - Throws: `ToolFailure` with the system's reason when it cannot be read.
  func contents() throws(ToolFailure) -> Data {
    try check()
    guard let data = FileManager.default.contents(atPath: path) else { throw unreadable(EIO) }
    return data
  }

  /// What the path leads to, through links.
  private var type: FileAttributeType? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
  }

  private func unreadable(_ number: Int32) -> ToolFailure {
    ToolFailure("The file “\(path.masked)” cannot be read: \(String(cString: strerror(number))).")
  }
}
