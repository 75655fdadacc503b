import EssentialFoundation
import MartletEssentials
import MartletCore
import SystemPackage

/// What `--output` names.
struct OutputFile {
  /// As the command line has it.
  let path: String

  /// Whether bytes go to it one after another: a device, a named pipe, or an open descriptor. None of them may be
  /// replaced by a file.
  var isDevice: Bool {
    if DescriptorPath.descriptor(of: path) != nil { return true }
    return (try? Stat(FilePath(path))).map { $0.type != .regular } ?? false
  }

  /// The file, which gets its name when it is complete.
  var url: URL { URL(fileURLWithPath: path) }
}

/// A path that stands for an open descriptor of this process, such as `/dev/stdout` or `/dev/fd/3`.
///
/// What such a path leads to may be a regular file. It is written to where the descriptor stands, as a shell's
/// redirection asks for, and is neither cut nor replaced.
enum DescriptorPath {
  /// More than any system follows.
  private static let maximumLinks = 40
  private static let names: [String: Int32] = [
    "/dev/stdin": STDIN_FILENO, "/dev/stdout": STDOUT_FILENO, "/dev/stderr": STDERR_FILENO,
  ]
  private static let folders = ["/dev/fd", "/proc/self/fd", "/proc/\(getpid())/fd"]

  /// The number of the descriptor; `nil` for any other path. Symbolic links to such a path count.
  static func descriptor(of path: String) -> Int32? {
    var url = URL(fileURLWithPath: path, isDirectory: false)
    for _ in 0..<maximumLinks {
      let name = url.standardizedFileURL
      if let descriptor = names[name.path] { return descriptor }
      if folders.contains(name.deletingLastPathComponent().path) {
        return Int32(name.lastPathComponent)
      }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else {
        return nil
      }
      let folder = target.hasPrefix("/") ? "" : url.deletingLastPathComponent().path + "/"
      url = URL(fileURLWithPath: folder + target, isDirectory: false)
    }
    return nil
  }
}

extension MartletError {
  /// What the tool says of a file that cannot be written: the same, with the path that the command line gives.
  func naming(_ path: String, of url: URL) -> any Error {
    guard code == .fileNotWritable else { return self }
    return ToolFailure(
      message.replacing("“\(url.path.masked)”", with: "“\(path.masked)”"))
  }
}
