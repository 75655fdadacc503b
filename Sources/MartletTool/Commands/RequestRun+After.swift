import EssentialFoundation
import MartletEssentials

/// The output for a call.
extension RequestRun {
  /// Prints the selected parts of the exchange in this order: the request, the response with its body, and the timing.
  /// The timing is read last, because it is complete only after the body.
  func show(
    _ response: Response, to request: RequestText?, _ hops: Locked<TimedHops>?
  ) async throws {
    if let request { try await printer.show(request) }
    try await printer.show(response)
    if let hops { try printer.show(hops.current) }
  }

  /// The last request that the call sends. After a redirect or a challenge, it is not the first request.
  func lastRequest() -> Locked<RequestText?> {
    let last = Locked<RequestText?>(nil)
    call.observe { event in
      guard case .sending(let request, let connection, _) = event.kind else { return }
      let version = connection.map { HTTPVersion($0) } ?? .http1
      last.withLock { $0 = RequestText(request: request, version: version) }
    }
    return last
  }

  /// The timing of each request of the call; `nil` if it is not shown.
  func timedHops() -> Locked<TimedHops>? {
    guard command.output.timing || plan.printed.contains(.timing) else { return nil }
    let hops = Locked(TimedHops())
    call.observe { event in hops.withLock { $0.note(event.kind) } }
    return hops
  }

  func showTiming(_ hops: TimedHops?) {
    guard command.output.timing, let hops else { return }
    for line in hops.lines(width: OutputHandle.error.columns) { OutputHandle.error.writeLine(line) }
  }

  /// The exit status for a response; always `.success` without `--check-status`.
  ///
  /// If it is not `.success`, and the head of the response is not printed, a line on standard error reports the status
  /// of the response.
  func checkedStatus(_ response: Response) -> ExitStatus {
    guard command.connection.checkStatus else { return .success }
    let status = ExitStatus(
      checking: response.status.code, followsRedirects: followsRedirects)
    if status != .success, !plan.printed.contains(.responseHead) {
      OutputHandle.error.writeLine(
        "martlet: The server answered \(ResponseText.status(response.head)).")
    }
    return status
  }
}
