import EssentialFoundation
import MartletEssentials

/// Several downloads of one command line, in parallel.
struct DownloadsRun {
  /// How many downloads run at once. The others wait.
  private static let limit = 6

  let requests: [Request]
  let output: OutputOptions
  let session: URLSessionManager
  /// The handle of each request.
  let calls: [Call]

  init(requests: [Request], output: OutputOptions, session: URLSessionManager) {
    self.requests = requests
    self.output = output
    self.session = session
    calls = requests.map { _ in Call() }
  }

  /// The result of one download.
  private struct End {
    let index: Int
    let line: String
    let status: ExitStatus
    var wasCancelled = false
  }

  /// Runs all downloads, even if some fail, and prints the result of each.
  ///
  /// - Returns: The status of the first download that failed, otherwise `.success`.
  /// - Throws: `MartletError` with code `.cancelled` when one was cancelled.
  func run() async throws -> ExitStatus {
    let board = ProgressBoard(
      on: .error, names: requests.map { $0.url.lastPathComponent.masked })
    let ends = await runAll(board).sorted { $0.index < $1.index }
    board.finish()
    for end in ends where !end.wasCancelled { OutputHandle.error.note(end.line) }
    guard !ends.contains(where: \.wasCancelled) else { throw MartletError.cancelled }
    return ends.first { $0.status != .success }?.status ?? .success
  }

  private func runAll(_ board: ProgressBoard) async -> [End] {
    await withTaskGroup(of: End.self) { group in
      var ends: [End] = []
      for index in requests.indices {
        if index >= Self.limit, let end = await group.next() { ends.append(end) }
        group.addTask {
          let download = Download(
            target: DownloadTarget(path: nil), continues: output.continues,
            checksum: nil, call: calls[index], display: board.line(index))
          return await end(index, of: download)
        }
      }
      for await end in group { ends.append(end) }
      return ends
    }
  }

  private func end(_ index: Int, of download: Download) async -> End {
    do {
      let saved = try await download.run(requests[index], over: session)
      return End(index: index, line: saved.summary, status: .success)
    } catch {
      let url = requests[index].url.masked
      return End(
        index: index, line: "martlet: \(url): \(Report.sentence(error))",
        status: ExitStatus(error),
        wasCancelled: (error as? MartletError)?.code == .cancelled)
    }
  }
}
