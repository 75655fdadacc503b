import Foundation

/// What a peer does with each request.
public enum Scenario: String, Sendable {
  /// Collect the body of the response in memory.
  case get
  /// The same with one call for all requests.
  case batch
  /// The same with requests that begin by the clock.
  case paced
  /// The same with all requests under way at once, and a look at what the connections then hold.
  case gather
  /// Decode the body of the response as an array of users.
  case json
  /// Read the body of the response and forget it.
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
  /// What is done before the measuring starts, so that starting up is not counted.
  ///
  /// As many small requests whatever the job, so that two jobs differ by what they measure only.
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
