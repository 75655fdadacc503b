extension Peer {
  /// Starts requests by the clock, and records how long each took from its tick.
  ///
  /// When all tasks are busy, a tick waits for one of them, and this time counts.
  func paced(_ job: Job) async throws -> Outcome {
    let ticks = RequestTimer(rate: job.rate ?? 1, count: job.count).start()
    return try await withThrowingTaskGroup(of: Outcome.self) { group in
      for _ in 0..<job.concurrency {
        group.addTask {
          var outcome = Outcome(bytes: 0)
          for await tick in ticks {
            outcome.bytes += try await get(job.path)
            outcome.latencies.append(tick.duration(to: .now))
          }
          return outcome
        }
      }
      return try await group.reduce(into: Outcome(bytes: 0)) { $0.add($1) }
    }
  }
}
