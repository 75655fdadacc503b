import Foundation
import Martlet

/// What a download is called when the command line does not say.
enum DownloadName {
  /// The name of a file in the current directory.
  ///
  /// - Throws: `ToolFailure` when neither the response nor the URL gives a name.
  static func choose(_ head: ResponseHead, url: URL) throws(ToolFailure) -> String {
    guard let name = head.suggestedFileName(from: url) else {
      throw ToolFailure("Neither the response nor the URL names a file: give a name with --output.")
    }
    return name
  }
}
