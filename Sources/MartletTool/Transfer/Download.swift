import Foundation
import Martlet

/// A download to a file, with a progress bar on standard error.
struct Download {
  /// What the command line says, if anything.
  let path: String?
  let exchange: Exchange

  /// Sends the request and returns when the file is complete.
  ///
  /// - Throws: `ToolFailure` when the response is no success or has no name; `MartletError` when the
  ///   exchange fails. No file is left behind then.
  func run(_ request: Request, over session: URLSessionManager) async throws -> Response {
    var request = request
    // The bytes saved should be as many as the server announces.
    if !request.headers.contains(.acceptEncoding) { request.headers[.acceptEncoding] = "identity" }
    let target = DownloadTarget(path: path, url: request.url)
    request.delivery = target.delivery
    let response = try await receive(request, over: session)
    let file = try target.file(of: response)
    Outlet.error.note(
      Self.summary(
        exchange.downloadProgress, took: response.metrics.total,
        name: path ?? file.lastPathComponent))
    return response
  }

  private func receive(_ request: Request, over session: URLSessionManager) async throws -> Response
  {
    let bar = LiveProgress(on: .error)
    defer { bar.finish() }
    exchange.observe { [weak exchange] event in
      if case .received = event, let exchange { bar.update(exchange.downloadProgress) }
    }
    return try await session.send(request)
  }

  /// The closing line: `Saved 10 MB as big.iso in 3 s (3.1 MB/s).`
  static func summary(_ progress: TransferProgress, took time: Duration, name: String) -> String {
    let rate = progress.bytesPerSecond.map { " (\(ProgressBar.rate($0)))" } ?? ""
    return "Saved \(ByteCount.text(progress.completed)) as \(name.masked) in \(time.brief)\(rate)."
  }
}
