import CUsage
import Foundation

extension Peer {
  /// Does the process's job, and prints what it took as one line of JSON.
  public static func run() async throws {
    let job = Job()
    let peer = try Self(job)
    _ = try await peer.work(job.warmUp)

    let start = usage_now()
    let bytes = try await peer.work(job)
    let end = usage_now()

    try await peer.close()
    try Report(Self.name, job, bytes: bytes, from: start, to: end).print()
  }

  /// Shares the requests out among as many tasks as may be under way, and adds up their bytes.
  private func work(_ job: Job) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<job.concurrency {
        group.addTask {
          var bytes = 0
          for _ in stride(from: worker, to: job.count, by: job.concurrency) {
            bytes += try await once(job)
          }
          return bytes
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private func once(_ job: Job) async throws -> Int {
    switch job.scenario {
    case .get: return try await get(job.path)
    case .download: return try await download(job.path)
    case .file:
      let name = "martlet-bench-\(UUID().uuidString)"
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      defer { try? FileManager.default.removeItem(at: file) }
      return try await save(job.path, to: file)
    }
  }
}
