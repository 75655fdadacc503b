import EssentialFoundation
import MartletEssentials
import MartletCore
import SystemPackage

/// The file or device that `--output` names.
struct OutputFile {
  /// The path as given on the command line.
  let path: String

  /// Whether the path refers to an open descriptor, or to something that exists and is not a regular file, such as a
  /// device or a named pipe. The tool writes to it in place, and does not replace it with a file.
  var isDevice: Bool {
    if DescriptorPath.descriptor(of: path) != nil { return true }
    return (try? Stat(FilePath(path))).map { $0.type != .regular } ?? false
  }

  /// The file, which gets its name when it is complete.
  var url: URL { URL(fileURLWithPath: path) }
}

/// A path that refers to an open descriptor of this process, such as `/dev/stdout` or `/dev/fd/3`.
///
/// The descriptor may be that of a regular file. The tool writes at the descriptor's current position, as a shell's
/// redirection requires, and neither truncates nor replaces the file.
enum DescriptorPath {
  /// The maximum number of symbolic links to follow. No system follows more.
  private static let maximumLinks = 40
  private static let names: [String: Int32] = [
    "/dev/stdin": STDIN_FILENO, "/dev/stdout": STDOUT_FILENO, "/dev/stderr": STDERR_FILENO,
  ]
  private static let folders = ["/dev/fd", "/proc/self/fd", "/proc/\(getpid())/fd"]

  /// The number of the descriptor; `nil` for any other path. Symbolic links are followed.
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
  /// For a file that cannot be written, a `ToolFailure` with the same sentence and the path of the command line;
  /// otherwise the error itself.
  func replacingPath(of url: URL, with path: String) -> any Error {
    guard code == .fileNotWritable else { return self }
    return ToolFailure(
      message.replacing("“\(url.path.masked)”", with: "“\(path.masked)”"))
  }
}
