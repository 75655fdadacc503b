import CUsage
import Foundation

/// The measurements of a run; the peer written in C prints the same keys.
struct Report: Encodable {
  var peer: String
  var scenario: String
  var count: Int
  var concurrency: Int
  var bytes: Int
  var seconds: Double
  var cpuSeconds: Double
  var peakKiB: Int
  /// The latency of each request in microseconds, in the order in which they finished; only of a paced job.
  var latencies: [Int]?
  var addedKiB: Int?
  var sockets: Int?
  /// The share of the loop that has used least, in percent of the time of all loops; only of jobs with several loops.
  var leastLoopShare: Int?

  init(_ peer: String, _ job: Job, _ outcome: Outcome, from start: usage, to end: usage) {
    self.peer = peer
    scenario = job.scenario.rawValue
    count = job.count
    concurrency = job.concurrency
    bytes = outcome.bytes
    seconds = end.wall - start.wall
    cpuSeconds = end.cpu - start.cpu
    peakKiB = usage_peak_memory()
    if job.loops > 1 { leastLoopShare = LoopTimes().leastShare(of: job.loops) }
    if !outcome.latencies.isEmpty { latencies = outcome.latencies.map(\.microseconds) }
  }

  /// Records the memory and the number of the connections that are open now.
  mutating func addMemory(since resident: Int) {
    addedKiB = usage_resident_memory() - resident
    sockets = usage_open_sockets()
  }

  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
