import Foundation
import Martlet

/// Where a download of the command line goes.
///
/// A name that the command line does not give never replaces a file.
struct DownloadTarget {
  /// What the command line says, if anything.
  let path: String?

  /// The file that the command line names.
  var file: URL? { path.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath() } }

  /// The place, for the library.
  var place: DownloadPlace {
    if let file { return DownloadPlace(file: file, replacesExisting: true) }
    return DownloadPlace(folder: Self.here) { head, url in
      FinalName(
        Self.here.appendingPathComponent(try DownloadName.choose(head, url: url)), ifTaken: .number)
    }
  }

  /// Where what came lies until the file is complete: beside it, so that it gets its name in one step.
  var store: DownloadStore {
    let folder = file?.deletingLastPathComponent()
    return DownloadStore(folder: (folder ?? Self.here).appendingPathComponent(".martlet-downloads"))
  }

  private static var here: URL {
    URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
  }
}
