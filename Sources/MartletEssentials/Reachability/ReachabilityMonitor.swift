import MartletCore
import MartletTransport

/// Monitors a target: carries out the steps that a `ReachabilityState` decides.
struct ReachabilityMonitor: Sendable {
  let target: ReachabilityTarget
  /// Looks up a host's addresses.
  var lookUp: @Sendable (_ host: String) async throws -> [IPAddress] = HostLookup.addresses(of:)
  /// Waits after a look-up that failed.
  var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Reports how the target is reached, and each change, until the snapshots end or the task is cancelled.
  func run(
    over snapshots: AsyncStream<NetworkSnapshot>, _ report: (ReachabilityState.Report) -> Void
  ) async {
    var state = ReachabilityState(target)
    let (inputs, feed) = AsyncStream.makeStream(of: ReachabilityState.Input.self)
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await snapshot in snapshots { feed.yield(.network(snapshot)) }
        feed.finish()
      }
      for await input in inputs {
        let step = state.handle(input)
        if let new = step.report { report(new) }
        if let lookUp = step.lookUp { group.addTask { feed.yield(await perform(lookUp)) } }
      }
      group.cancelAll()
    }
  }

  private func perform(_ lookUp: ReachabilityState.LookUp) async -> ReachabilityState.Input {
    switch (lookUp, target) {
    case (.now, .host(let name)): return .found(try? await self.lookUp(name))
    case (.later(let delay), _):
      // When cancelled, the pause ends too early, but then the result is not read.
      try? await pause(delay)
      return .retry
    case (.now, _): return .retry
    }
  }
}
