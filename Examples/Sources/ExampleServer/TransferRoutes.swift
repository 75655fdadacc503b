import Foundation
import Martlet
import MartletTesting
import Synchronization

/// Files to download, for DownloadManager, and a folder for uploads, for FolderUpload.
final class TransferRoutes: Sendable {
  /// The sizes of the files. Each is the alphabet, repeated.
  private static let sizes = ["atlas.txt": 8_000_000, "map.txt": 2_000_000, "legend.txt": 1000]

  private let httpbin = ServerRouter.httpbin()
  /// Uploads are written to a folder in this one.
  private let folder: URL
  /// The uploads that were refused once.
  private let refused = Mutex<Set<URL>>([])

  init(folder: URL) {
    self.folder = folder.standardizedFileURL
  }

  var list: [ServerRoute] {
    [.get("/files/:name", handler: file), ServerRoute([.put], "/uploads/*", handler: upload)]
  }

  /// Sends a file in three seconds, whole or from the position that a `Range` field asks for.
  private func file(_ request: ServerRequest) async -> ServerResponse {
    guard let size = request.parameters["name"].flatMap({ Self.sizes[$0] }) else {
      return .text("There is no such file.", status: .notFound)
    }
    var request = request
    request.target = "/range/\(size)?duration=3&chunk_size=\(size / 50)"
    return await httpbin.response(to: request)
  }

  /// Writes an upload to the folder. Some extensions stand for a failure or a delay.
  private func upload(_ request: ServerRequest) async throws -> ServerResponse {
    let file = folder.appending(path: URL(string: request.path)?.path ?? "").standardizedFileURL
    guard file.path.hasPrefix(folder.path + "/uploads/") else { return ServerResponse(.badRequest) }
    if file.pathExtension == "forbidden" { return .text("Not here.", status: .forbidden) }
    let isFirst = refused.withLock { $0.insert(file).inserted }
    if file.pathExtension == "later", isFirst {
      return .text("Not now.", status: .serviceUnavailable)
    }
    if file.pathExtension == "slow" { try await Task.sleep(for: .seconds(1)) }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(request.body.readableBytesView).write(to: file)
    return ServerResponse(.created)
  }
}
