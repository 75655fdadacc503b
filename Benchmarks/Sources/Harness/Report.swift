import CUsage
import Foundation

/// What a run took; the same keys are printed by the peer written in C.
struct Report: Encodable {
  var peer: String
  var scenario: String
  var count: Int
  var concurrency: Int
  var bytes: Int
  var seconds: Double
  var cpuSeconds: Double
  var peakKiB: Int

  init(_ peer: String, _ job: Job, bytes: Int, from start: usage, to end: usage) {
    self.peer = peer
    scenario = job.scenario.rawValue
    count = job.count
    concurrency = job.concurrency
    self.bytes = bytes
    seconds = end.wall - start.wall
    cpuSeconds = end.cpu - start.cpu
    peakKiB = usage_peak_memory()
  }

  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
