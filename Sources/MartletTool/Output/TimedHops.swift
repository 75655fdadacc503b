import Martlet

/// The requests that were sent for one answer, such as those that redirects have led to, and where the time of each went.
struct TimedHops {
  private struct Hop {
    var title: String
    var metrics: Metrics?
  }

  private var hops: [Hop] = []

  /// Takes in what the events of the call say.
  mutating func note(_ event: Event.Kind) {
    switch event {
    case .sending(let request, _, _):
      // Sent again on another connection, it is the same request.
      if hops.last?.metrics == nil { _ = hops.popLast() }
      hops.append(Hop(title: "\(request.method) \(request.url.masked)"))
    case .responded(let head):
      guard let last = hops.indices.last else { return }
      hops[last].title += ": \(ResponseText.status(head))"
    case .finished(let metrics):
      guard let last = hops.indices.last else { return }
      hops[last].metrics = metrics
    default: break
    }
  }

  /// A waterfall for each, with a title if there are several.
  func lines(width: Int) -> [String] {
    let over = hops.compactMap { hop in hop.metrics.map { (hop.title.visible, $0) } }
    return over.flatMap { title, metrics in
      (over.count > 1 ? [title] : []) + TimingWaterfall(metrics: metrics).lines(width: width)
    }
  }
}
