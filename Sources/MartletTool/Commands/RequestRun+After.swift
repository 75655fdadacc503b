import EssentialFoundation
import MartletEssentials

/// What is shown of a call.
extension RequestRun {
  /// Prints what is asked for, and where the time went once the body has arrived.
  func show(_ response: Response, to request: RequestText?, _ hops: TimedHops?) async throws {
    if let request { try await printer.show(request) }
    try await printer.show(response)
    if let hops { try printer.show(hops) }
  }

  /// The last request that goes out: redirects and challenges have others sent before it.
  func lastRequest() -> Locked<RequestText?> {
    let last = Locked<RequestText?>(nil)
    call.observe { event in
      guard case .sending(let request, let connection, _) = event.kind else { return }
      let version = connection.map { HTTPVersion($0) } ?? .http1
      last.withLock { $0 = RequestText(request: request, version: version) }
    }
    return last
  }

  /// Where the time of each request goes, if that is to be shown.
  func timedHops() -> Locked<TimedHops>? {
    guard command.output.timing || plan.printed.contains(.timing) else { return nil }
    let hops = Locked(TimedHops())
    call.observe { event in hops.withLock { $0.note(event.kind) } }
    return hops
  }

  func showTiming(_ hops: TimedHops?) {
    guard command.output.timing, let hops else { return }
    for line in hops.lines(width: OutputHandle.error.columns) { OutputHandle.error.note(line) }
  }

  /// In a pipe the head is not shown, so the status that ends the run is said.
  func checkedStatus(_ response: Response) -> ExitStatus {
    guard command.connection.checkStatus else { return .success }
    let status = ExitStatus(
      checking: response.status.code, followsRedirects: followsRedirects)
    if status != .success, !plan.printed.contains(.responseHead) {
      OutputHandle.error.note("martlet: The server answered \(ResponseText.status(response.head)).")
    }
    return status
  }
}
