import CUsage
import Foundation

extension Peer {
  /// Runs the process's job, and prints the measurements as one line of JSON.
  @concurrent
  public static func main() async {
    do {
      try await measure()
    } catch {
      FileHandle.standardError.write(Data("bench-\(name): \(error)\n".utf8))
      exit(EXIT_FAILURE)
    }
  }

  private static func measure() async throws {
    let job = Job()
    let peer = try Self(job)
    _ = try await peer.work(job.warmUp)

    let resident = usage_resident_memory()
    let start = usage_now()
    let outcome = try await peer.work(job)
    let end = usage_now()

    var report = Report(Self.name, job, outcome, from: start, to: end)
    if job.scenario == .gather { report.addMemory(since: resident) }
    try await peer.close()
    try report.print()
  }

  private func work(_ job: Job) async throws -> Outcome {
    switch job.scenario {
    case .batch:
      Outcome(
        bytes: try await batch(job.path, count: job.count, concurrency: job.concurrency))
    case .paced: try await paced(job)
    default: try await shared(job)
    }
  }

  /// Divides the requests among as many tasks as may run at once, and adds up their bytes.
  private func shared(_ job: Job) async throws -> Outcome {
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
      return Outcome(bytes: try await group.reduce(0, +))
    }
  }

  private func once(_ job: Job) async throws -> Int {
    switch job.scenario {
    case .get, .gather, .batch, .paced: return try await get(job.path)
    case .json: return try await decode(job.path)
    case .download: return try await download(job.path)
    case .save: return try await save(job.path)
    case .upload: return try await upload(job.givenFile, to: job.path)
    case .form: return try await form(job)
    case .stream: return try await stream(job.givenFile.fileSize, to: job.path)
    }
  }

  /// Sends a form and returns the length of the file.
  ///
  /// The server must have received more than that, because the form has framing, too.
  private func form(_ job: Job) async throws -> Int {
    let (sent, size) = (try await form(job.givenFile, to: job.path), try job.givenFile.fileSize)
    guard sent > size else { throw UnexpectedResponse(reason: "\(sent) bytes of a form") }
    return size
  }

  /// Saves to a temporary file, which is removed at the end.
  private func save(_ path: String) async throws -> Int {
    let name = "martlet-bench-\(UUID().uuidString)"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await save(path, to: file)
  }
}
