import Foundation
import Martlet

/// Uploads the files of a folder with PUT, four at once.
///
/// Shows bodies that are read from files while they are sent, the progress of many transfers together, and requests that
/// are sent again after a failure.
@main
struct FolderUpload: Sendable {
  private static let limit = 4

  private let api = HTTPSessionManager { $0.resilience = .standard }
  private let folder: URL
  private let address: URL
  private let meter: Meter

  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let address = URL(string: arguments[2]) else {
      fail("Usage: FolderUpload FOLDER URL", status: 64)
    }
    do {
      let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
      let sizes = try fileSizes(in: folder)
      let upload = FolderUpload(folder: folder, address: address, meter: Meter(sizes))
      let failures = await upload.send(sizes.keys.sorted())
      print("\(sizes.count - failures) of \(sizes.count) files uploaded: \(upload.meter.summary)")
      exit(failures == 0 ? 0 : 1)
    } catch {
      fail("\(arguments[1]): \(error.localizedDescription)")
    }
  }

  /// Returns the sizes of the files in a folder and in the folders below it, by the paths of the files.
  private static func fileSizes(in folder: URL) throws -> [String: Int64] {
    var sizes: [String: Int64] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let values = try folder.appending(path: path).resourceValues(
        forKeys: [.isRegularFileKey, .fileSizeKey])
      if values.isRegularFile == true { sizes[path] = Int64(values.fileSize ?? 0) }
    }
    return sizes
  }

  /// Sends all files, and returns the number of failures.
  private func send(_ paths: [String]) async -> Int {
    let display = Task { await meter.display() }
    let failures = await withTaskGroup(of: Bool.self) { group in
      var failures = 0
      for (index, path) in paths.enumerated() {
        // As soon as one has ended, the next begins.
        if index >= Self.limit, await group.next() == false { failures += 1 }
        group.addTask { await send(path) }
      }
      for await isSent in group where !isSent { failures += 1 }
      return failures
    }
    display.cancel()
    await display.value
    return failures
  }

  /// Sends a file, and returns whether the server has accepted it.
  private func send(_ path: String) async -> Bool {
    // `appending` escapes the characters that have a meaning in URLs.
    let target = address.appending(path: path).absoluteString
    do {
      try await api.put(
        target, body: .file(at: folder.appending(path: path)),
        progress: { meter.set($0.completed, of: path) })
      meter.finish()
      return true
    } catch {
      meter.fail(path)
      Self.complain("\(path): \(error.localizedDescription)")
      return false
    }
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }

  private static func fail(_ message: String, status: Int32 = 1) -> Never {
    complain(message)
    exit(status)
  }
}
