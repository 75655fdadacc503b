import EssentialFoundation
import MartletEssentials
import MartletCore

/// The events of a call as lines: `*` for what happens, `>` for what is sent, `<` for what is
/// received.
///
/// It stores the HTTP version of the request, because the head of the response does not contain it.
struct EventLog {
  let palette: Palette
  private var version: HTTPVersion?

  /// The longest body that is shown, in bytes. Of a longer body, only the size is shown.
  private static let longestBody = 4 << 10

  init(palette: Palette = .plain) {
    self.palette = palette
  }

  /// The lines for an event.
  mutating func lines(for event: CallEvent.Kind) -> [String] {
    switch event {
    case .queued: note("Waiting for a free connection")
    case .resolving(let host): note("Looking up \(host)")
    case .resolved(let host, let addresses):
      note("\(host) is at \(addresses.joined(separator: ", "))")
    case .connecting(let address): note("Connecting to \(address)")
    case .connected(let address): note("Connected to \(address)")
    case .securing(let host): note("Starting the TLS handshake with \(host)")
    case .secured(let host): note("The TLS handshake with \(host) is complete")
    case .sending(let request, let connection, let isReused):
      sending(request, over: connection, isReused: isReused)
    case .informationalResponse(let head), .responseReceived(let head): received(head)
    case .redirecting(let url):
      note("Following the redirect to \(url.absoluteString.withoutUserInfo)")
    case .downloadResumed(let offset, _): note("Resuming the download after \(offset) bytes")
    case .attemptFinished(let metrics): note("Done in \(metrics.totalDuration.brief)")
    case .cacheUsed(let status, let head):
      note("Cache-Status: \(status)") + (head.map(received) ?? [])
    case .cacheFailed(let error): note(error.message)
    case .retrying: note("Sending the request again")
    case .retryDecided(let decision): note("Retry: \(decision)")
    case .circuitOpened, .circuitClosed, .refused, .concurrencyLimited, .rateLimited, .hedged,
      .fellBack, .taskResumed, .taskSuspended, .taskCompleted, .attemptStarted, .bodySent,
      .requestSent,
      .bodyReceived, .attemptFailed:
      []
    }
  }

  private func note(_ text: String) -> [String] {
    [palette.paint("* \(text.escapingControlCharacters)", .faint)]
  }

  private func received(_ head: ResponseHead) -> [String] {
    (ResponseText.lines(head, version: version, palette: palette) + [""]).map { "< \($0)" }
  }

  private mutating func sending(
    _ request: Request, over connection: ConnectionInfo?, isReused: Bool
  ) -> [String] {
    version = connection.map { HTTPVersion($0) }
    let text = RequestText(request: request, version: version ?? .http1)
    let reuse = isReused ? note("Reusing an open connection") : []
    let way = connection?.proxy.map { note("Through the proxy \($0)") } ?? []
    return reuse + way
      + (text.head + [""] + body(text.body)).map { "> \($0.escapingControlCharacters)" }
  }

  private func body(_ bytes: [UInt8]) -> [String] {
    guard !bytes.isEmpty else { return [] }
    guard bytes.count <= Self.longestBody, !bytes.contains(0),
      let text = String(validating: bytes, as: UTF8.self)
    else { return ["(\(ByteCount.text(Int64(bytes.count))))"] }
    let lines = text.replacing("\r\n", with: "\n")
    return lines.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
