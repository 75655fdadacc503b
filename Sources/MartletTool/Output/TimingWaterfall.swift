import EssentialFoundation
import MartletEssentials

/// The timing of an exchange, phase by phase.
///
///     resolve        0.3 ms  ▕█         ▏
///     connect        0.6 ms  ▕ ██       ▏
///     …
struct TimingWaterfall {
  /// One part of an exchange.
  struct Phase: Equatable {
    let name: String
    let start: Duration
    let length: Duration
  }

  let metrics: ExchangeMetrics

  /// The phases in the order in which they happened. Phases that did not happen are left out.
  var phases: [Phase] {
    var phases: [Phase] = []
    var now = Duration.zero
    for (name, length) in spans {
      phases.append(Phase(name: name, start: now, length: length))
      now += length
    }
    return phases
  }

  private var spans: [(String, Duration)] {
    var spans: [(String, Duration)] = []
    var preparation = metrics.connectionWait
    if !metrics.isConnectionReused, let connection = metrics.connection {
      if let resolve = connection.resolveDuration { spans.append(("resolve", resolve)) }
      spans.append(("connect", connection.connectDuration))
      if let tls = connection.tlsDuration { spans.append(("TLS", tls)) }
      preparation -= spans.reduce(.zero) { $0 + $1.1 }
    }
    // The rest of the wait for a connection passed before its first step, for example while the
    // certificates to trust were read.
    if preparation >= .milliseconds(1) { spans.insert(("prepare", preparation), at: 0) }
    return spans + [
      ("send", metrics.requestDuration), ("wait", metrics.timeToFirstByte),
      ("receive", metrics.transferDuration),
    ]
  }

  /// One line for each phase, at most `width` columns long, or 35 if that is more; and one line for the total, which
  /// has no limit.
  func lines(width: Int) -> [String] {
    let room = min(max(width - 26, 10), 60)
    let whole = max(phases.last.map { $0.start + $0.length } ?? .zero, .nanoseconds(1))
    let lines = phases.map { phase in
      line(phase.name, phase.length, bar(phase, of: whole, room))
    }
    return lines + [line("total", metrics.totalDuration, summary)]
  }

  private func line(_ name: String, _ length: Duration, _ rest: String) -> String {
    let time = (length / .milliseconds(1)).text(digits: 1)
    return "\(name.padded(to: 9))\(time.padded(to: 9, atFront: true)) ms  \(rest)"
  }

  private func bar(_ phase: Phase, of whole: Duration, _ room: Int) -> String {
    let start = min(Int(phase.start / whole * Double(room)), room - 1)
    let end = min(Int(((phase.start + phase.length) / whole * Double(room)).rounded(.up)), room)
    let length = max(end - start, 1)
    return "▕" + String(repeating: " ", count: start) + String(repeating: "█", count: length)
      + String(repeating: " ", count: room - start - length) + "▏"
  }

  private var summary: String {
    let sent = "\(ByteCount.text(metrics.bytesSent)) sent"
    let received = "\(ByteCount.text(metrics.bytesReceived)) received"
    return sent + ", " + received
      + (metrics.isConnectionReused ? ", over a connection that was open already" : "")
  }
}

/// The requests that were sent for one response, such as those of redirects, and the timing of each.
struct TimedHops {
  private struct Hop {
    var title: String
    var metrics: ExchangeMetrics?
  }

  private var hops: [Hop] = []

  /// Records an event of the call.
  mutating func note(_ event: CallEvent.Kind) {
    switch event {
    case .sending(let request, _, _):
      // A request that is sent again on another connection is shown once.
      if hops.last?.metrics == nil { _ = hops.popLast() }
      hops.append(Hop(title: "\(request.method) \(request.url.masked)"))
    case .responseReceived(let head):
      guard let last = hops.indices.last else { return }
      hops[last].title += ": \(ResponseText.status(head))"
    case .attemptFinished(let metrics):
      guard let last = hops.indices.last else { return }
      hops[last].metrics = metrics
    default: break
    }
  }

  /// A waterfall for each request, with a title if there are several.
  func lines(width: Int) -> [String] {
    let over = hops.compactMap { hop in
      hop.metrics.map { (hop.title.escapingControlCharacters, $0) }
    }
    return over.flatMap { title, metrics in
      (over.count > 1 ? [title] : []) + TimingWaterfall(metrics: metrics).lines(width: width)
    }
  }
}
