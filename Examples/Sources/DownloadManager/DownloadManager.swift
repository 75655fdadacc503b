import Foundation
import Martlet

/// Downloads files into a folder, three at once. The next run goes on where this one has ended, even if it was killed.
///
/// Shows a download store, which keeps what resuming needs, and the progress of several transfers. A file appears under
/// its name only when it is complete.
@main
struct DownloadManager: Sendable {
  private static let limit = 3

  private let api = HTTPSessionManager()
  private let folder: URL
  /// The partial files. They are in the folder of the complete ones, so that a complete file is only renamed.
  private let store: DownloadStore

  private init(folder: URL) {
    self.folder = folder
    store = DownloadStore(folder: folder.appending(path: ".downloads"))
  }

  static func main() async {
    guard CommandLine.arguments.count >= 2 else {
      fail("Usage: DownloadManager FOLDER [URL …]", status: 64)
    }
    do {
      let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let manager = DownloadManager(folder: folder)
      let given = try CommandLine.arguments.dropFirst(2).map { try Request($0).url }
      let begun = try manager.store.downloads.map(\.resumeData.url)
      let urls = Set(given + begun)
      guard Set(urls.map { fileName(of: $0) }).count == urls.count else {
        fail("Two of the URLs have the same file name.")
      }
      let failures = await manager.download(urls)
      guard failures == 0 else { fail("\(failures) not complete. Run the program again to go on.") }
    } catch {
      fail(error.localizedDescription)
    }
  }

  /// Downloads all URLs, and returns the number of failures.
  private func download(_ urls: Set<URL>) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      var failures = 0
      for (index, url) in urls.enumerated() {
        // As soon as one has ended, the next begins.
        if index >= Self.limit, await group.next() == false { failures += 1 }
        group.addTask { await download(url) }
      }
      for await isComplete in group where !isComplete { failures += 1 }
      return failures
    }
  }

  /// Downloads a URL unless its file exists, and returns whether the file is complete.
  private func download(_ url: URL) async -> Bool {
    let name = Self.fileName(of: url)
    let file = folder.appending(path: name)
    guard !FileManager.default.fileExists(atPath: file.path) else {
      print("\(name): exists")
      return true
    }
    do {
      let lines = ProgressLines(name: name)
      _ = try await api.download(url.absoluteString, to: file, store: store, progress: lines.show)
      print("\(name): complete")
      return true
    } catch {
      Self.complain("\(name): \(error.localizedDescription)")
      return false
    }
  }

  /// Returns the last part of the URL's path, without what is not safe in a file name.
  private static func fileName(of url: URL) -> String {
    ResponseHead(status: .ok).suggestedFileName(from: url) ?? "download"
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }

  private static func fail(_ message: String, status: Int32 = 1) -> Never {
    complain(message)
    exit(status)
  }
}
