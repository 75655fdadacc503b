import Foundation
import Martlet
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
