import Foundation
import Martlet
import MartletTransport

/// Where a download of the command line goes.
///
/// A name that the command line does not give never replaces a file.
struct DownloadTarget {
  /// What the command line says, if anything.
  let path: String?
  let names: NamesTaken

  /// The place, for the library.
  var place: DownloadPlace {
    if let path {
      return DownloadPlace(
        file: URL(fileURLWithPath: path).resolvingSymlinksInPath(), replacesExisting: true)
    }
    let chosen = Locked<String?>(nil)
    return DownloadPlace(folder: Self.here) { [names] head, url in
      // A download may see more than one head.
      let name = try chosen.current ?? names.take(DownloadName.choose(head, url: url))
      chosen.withLock { $0 = name }
      return FinalName(URL(fileURLWithPath: name), replacesExisting: false)
    }
  }

  /// Where what came lies until the file is complete: beside it, so that it gets its name in one step.
  var store: DownloadStore {
    let folder = path.map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().deletingLastPathComponent()
    }
    return DownloadStore(folder: (folder ?? Self.here).appendingPathComponent(".martlet-downloads"))
  }

  private static var here: URL {
    URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
  }
}
