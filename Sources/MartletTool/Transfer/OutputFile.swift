import Foundation
import Martlet

/// What `--output` names.
enum OutputFile {
  /// A file, which gets its name when it is complete.
  case file(URL)
  /// A device or a named pipe, which must not be replaced by a file.
  case device(String)

  init(path: String) {
    let isFile = FileStatus(path: path)?.isRegular ?? true
    self = isFile ? .file(URL(fileURLWithPath: path)) : .device(path)
  }

  /// Whether bytes go to it one after another.
  var isDevice: Bool {
    if case .device = self { true } else { false }
  }

  /// How the engine has to deliver the body.
  var delivery: Delivery {
    switch self {
    case .file(let url): .file(at: url)
    case .device: .stream
    }
  }

  /// Writes what the engine has not written.
  func finish(_ response: Response) async throws {
    guard case .device(let path) = self else { return }
    try await BodyPrinter(outlet: .device(at: path)).copy(response.body)
  }
}
