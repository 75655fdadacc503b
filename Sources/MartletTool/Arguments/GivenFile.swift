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

  /// All that the file holds; it may be a pipe or a device.
  ///
  /// - Throws: `ToolFailure` with the system's reason when it cannot be read.
  func contents() throws(ToolFailure) -> Data {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errno) }
      guard count > 0 else { return data }
      data += piece[..<count]
    }
  }

  /// What the path leads to, through links.
  private var type: FileAttributeType? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
  }

  private func unreadable(_ number: Int32) -> ToolFailure {
    ToolFailure("The file “\(path.masked)” cannot be read: \(SystemFailure(number: number)).")
  }
}
