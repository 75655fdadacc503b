import Foundation
import Martlet

/// What is shown of a response.
extension RequestRun {
  func show(_ response: Response) async throws {
    let printer = BodyPrinter(
      outlet: .output, pictures: response.isPicture ? PicturePrinter(.output) : nil)
    if plan.showsHead {
      let lines = ResponseText.lines(
        response.head, version: response.metrics.connection.map { HTTPVersion($0) },
        palette: Outlet.output.palette)
      try Outlet.output.write((lines + [""]).joined(separator: "\n") + "\n")
    }
    switch plan.body {
    case .pretty: try await printer.show(response)
    case .bytes: try await printer.copy(response.body)
    default: break
    }
  }

  func showTiming(_ metrics: Metrics) {
    for line in TimingWaterfall(metrics: metrics).lines(width: Outlet.error.columns) {
      Outlet.error.note(line)
    }
  }

  /// In a pipe the head is not shown, so the status that ends the run is said.
  func checkedStatus(_ response: Response) -> ExitStatus {
    guard command.connection.checkStatus else { return .success }
    let status = ExitStatus(
      checking: response.status.code, followsRedirects: followsRedirects)
    if status != .success, !plan.showsHead {
      Outlet.error.note("martlet: The server answered \(ResponseText.status(response.head)).")
    }
    return status
  }
}
