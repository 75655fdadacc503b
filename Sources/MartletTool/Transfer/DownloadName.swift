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

  /// A name that is free, with a number before its extension when it has to be: `a-1.zip`.
  static func unused(_ name: String, isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let names = (1...).lazy.map { "\(name[..<dot])-\($0)\(name[dot...])" }
    return names.first { !isTaken($0) } ?? name
  }
}

/// The names that downloads side by side have taken.
final class NamesTaken: Sendable {
  private let names = Locked<Set<String>>([])

  /// A name for a new file in the current directory, which no other download gets.
  func take(_ name: String) -> String {
    names.withLock { names in
      let free = DownloadName.unused(name) {
        names.contains($0) || FileManager.default.fileExists(atPath: $0)
      }
      names.insert(free)
      return free
    }
  }
}
