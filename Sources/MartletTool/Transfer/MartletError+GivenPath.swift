import Foundation
import Martlet

extension MartletError {
  /// What the tool says of a file that cannot be written: the same, with the path that the command line gives.
  func naming(_ path: String, of url: URL) -> any Error {
    guard code == .fileNotWritable else { return self }
    return ToolFailure(
      message.replacing("“\(url.path.masked)”", with: "“\(path.masked)”"))
  }
}
