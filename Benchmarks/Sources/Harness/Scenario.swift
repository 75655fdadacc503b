import Foundation

/// The action of a peer for each request.
public enum Scenario: String, Sendable {
  /// Collect the body of the response in memory.
  case get
  /// The same with one call for all requests.
  case batch
  /// The same with requests that start by the clock.
  case paced
  /// The same with all requests running at once; the memory of the connections is measured.
  case gather
  /// Decode the body of the response as an array of users.
  case json
  /// Read the body of the response and discard it.
  case download
  /// Write the body of the response to a file.
  case save
  /// Send a file.
  case upload
  /// Send a file as the one part of a form.
  case form
  /// Send as many bytes as a file has, from memory, in chunks.
  case stream
}

extension Job {
  /// The job that runs before the measurement, so that start-up costs are not counted.
  ///
  /// Its number of small requests does not depend on `count`, so that two jobs differ only in what they measure.
  var warmUp: Job {
    var job = self
    switch scenario {
    case .get, .batch, .paced: job.count = warmUpCount ?? max(30 * concurrency, 1000)
    case .json: job.count = 2 * concurrency
    case .gather: (job.path, job.count, job.concurrency) = ("/gather/1", 1, 1)
    case .download, .save: job.path = "/bulk-warm-up"
    case .upload, .form, .stream:
      job.file = file?.deletingLastPathComponent().appendingPathComponent("bulk-warm-up")
    }
    if scenario == .paced { job.scenario = .get }
    return job
  }
}
