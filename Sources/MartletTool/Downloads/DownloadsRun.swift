import EssentialFoundation
import MartletEssentials

/// Several downloads of one command line, in parallel.
struct DownloadsRun {
  /// How many downloads run at once. The others wait.
  private static let limit = 6

  let requests: [Request]
  let output: OutputOptions
  let session: URLSessionManager
  /// The call of each request.
  let calls: [Call]

  init(requests: [Request], output: OutputOptions, session: URLSessionManager) {
    self.requests = requests
    self.output = output
    self.session = session
    calls = requests.map { _ in Call() }
  }

  /// The result of one download.
  private struct DownloadResult {
    let index: Int
    let line: String
    let status: ExitStatus
    var wasCancelled = false
  }

  /// Runs all downloads, even if some fail, and prints the result of each that was not cancelled.
  ///
  /// - Returns: The status of the first download, in the order of the command line, that failed; otherwise `.success`.
  /// - Throws: `MartletError` with code `.cancelled` when a download was cancelled.
  func run() async throws -> ExitStatus {
    let bars = ProgressBarList(
      on: .error, names: requests.map { $0.url.lastPathComponent.masked })
    let results = await runAll(bars).sorted { $0.index < $1.index }
    bars.finish()
    for result in results where !result.wasCancelled {
      OutputHandle.error.writeLine(result.line)
    }
    guard !results.contains(where: \.wasCancelled) else { throw MartletError.cancelled }
    return results.first { $0.status != .success }?.status ?? .success
  }

  private func runAll(_ bars: ProgressBarList) async -> [DownloadResult] {
    await withTaskGroup(of: DownloadResult.self) { group in
      var results: [DownloadResult] = []
      for index in requests.indices {
        if index >= Self.limit, let result = await group.next() { results.append(result) }
        group.addTask {
          let download = Download(
            target: DownloadTarget(path: nil), continues: output.continues,
            checksum: nil, call: calls[index], display: bars.line(index))
          return await result(index, of: download)
        }
      }
      for await result in group { results.append(result) }
      return results
    }
  }

  private func result(_ index: Int, of download: Download) async -> DownloadResult {
    do {
      let saved = try await download.run(requests[index], over: session)
      return DownloadResult(index: index, line: saved.summary, status: .success)
    } catch {
      let url = requests[index].url.masked
      return DownloadResult(
        index: index, line: "martlet: \(url): \(Report.sentence(error))",
        status: ExitStatus(error),
        wasCancelled: (error as? MartletError)?.code == .cancelled)
    }
  }
}
