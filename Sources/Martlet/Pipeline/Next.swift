public import MartletCore

/// What is below a step: the steps that follow it, and the transport at the end.
public struct Next: Transport {
  /// What is known of the call.
  public let context: CallContext
  private let first: Link?
  private let transport: any Transport

  /// A step, with those below it.
  final class Link: Sendable {
    fileprivate let step: any Step
    fileprivate let below: Link?

    init(_ step: any Step, above below: Link?) {
      self.step = step
      self.below = below
    }
  }

  /// A step that looks at what comes up.
  private struct Watcher {
    let link: Link
    /// The request, as the step has prepared it.
    let request: Request
  }

  /// - Parameters:
  ///   - first: The step that sees a request first; without any, all is left to the transport.
  ///   - transport: Gets what all of them have prepared.
  ///   - context: What is known of the call.
  init(_ first: Link?, over transport: any Transport, _ context: CallContext) {
    self.first = first
    self.transport = transport
    self.context = context
  }

  /// Sends a request through what is below.
  ///
  /// All steps that need not wait prepare it one after the other, down to the first that has to; on the way up those
  /// that watch look at the response, the lowest first, and one that has to wait puts another in its place.
  ///
  /// - Throws: What a step or the transport throws.
  public func send(_ request: Request) async throws -> Response {
    var prepared = request
    var watchers: [Watcher] = []
    let waiting = prepare(&prepared, &watchers)
    do {
      var response =
        if let waiting { try await waiting.step.send(prepared, next: rest(below: waiting)) } else {
          try await transport.send(prepared)
        }
      while let watcher = watchers.popLast() {
        let inspection = watcher.link.step.inspect(response, to: watcher.request, context)
        guard case .waiting = inspection else { continue }
        response = try await watcher.link.step.response(
          after: consume response, to: watcher.request, next: rest(below: watcher.link))
      }
      return response
    } catch {
      var error = error
      while let watcher = watchers.popLast() {
        error = watcher.link.step.failed(error, after: watcher.request, context)
      }
      throw error
    }
  }

  /// Has the steps prepare a request, and notes which of them watch.
  ///
  /// - Returns: The first that has to wait, if any has to.
  private func prepare(_ request: inout Request, _ watchers: inout [Watcher]) -> Link? {
    var place = first
    while let link = place {
      switch link.step.prepare(&request, context) {
      case .done: break
      case .watching:
        // As many as a session's own pipeline has, as a rule.
        if watchers.isEmpty { watchers.reserveCapacity(4) }
        watchers.append(Watcher(link: link, request: request))
      case .waiting: return link
      }
      place = link.below
    }
    return nil
  }

  private func rest(below link: Link) -> Next {
    Next(link.below, over: transport, context)
  }
}
