import EssentialFoundation
import MartletEssentials
import MartletCore
import NIOCore
import SystemPackage

/// A file that the command line names as input.
struct InputFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Checks that the file can be read and is not a directory. The file is not opened, because the bytes of a pipe can
  /// be read only once.
  ///
  /// - Throws: `ToolFailure` with the system's reason when it cannot be read.
  func check() throws(ToolFailure) {
    guard access(path, R_OK) == 0 else { throw unreadable(Errno(rawValue: errno)) }
    guard type != .directory else { throw unreadable(.isDirectory) }
  }

  /// Checks that the file can be read and has a length.
  ///
  /// - Throws: `ToolFailure` when it cannot be read, or is not a regular file.
  func checkRegular() throws(ToolFailure) {
    try check()
    guard type == .regular else {
      throw ToolFailure(
        "“\(path.masked)” is not a regular file: copy it into one, or send it on standard input.")
    }
  }

  /// The contents of the file, which may be a pipe or a device.
  ///
  /// - Throws: `ToolFailure` with the system's reason when it cannot be read.
  func contents() throws(ToolFailure) -> Data {
    do {
      let file = try OpenFile(reading: URL(fileURLWithPath: path))
      var data = Data()
      while case let bytes = try file.read(), bytes.readableBytes > 0 {
        data += bytes.readableBytesView
      }
      return data
    } catch {
      throw unreadable(error as? Errno ?? .ioError)
    }
  }

  /// The type of the file at the path. Symbolic links are followed.
  private var type: FileType? { try? Stat(FilePath(path)).type }

  private func unreadable(_ reason: Errno) -> ToolFailure {
    ToolFailure("The file “\(path.masked)” cannot be read: \(reason).")
  }
}
