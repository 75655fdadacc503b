import Foundation
import FoundationNetworking
import Harness

/// URLSession as it comes with Swift on Linux.
@main
struct URLSessionPeer: Peer {
  static let name = "urlsession"
  private let session: URLSession
  private let base: URL
  private let decoder = JSONDecoder()

  init(_ job: Job) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = job.concurrency
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
    base = job.base
  }

  func get(_ path: String) async throws -> Int {
    let (data, response) = try await session.data(for: try request(path))
    try check(response)
    return data.count
  }

  func decode(_ path: String) async throws -> Int {
    let (data, response) = try await session.data(for: try request(path))
    try check(response)
    return try decoder.decode([User].self, from: data).count
  }

  func download(_ path: String) async throws -> Int {
    let request = try request(path)
    return try await withCheckedThrowingContinuation { continuation in
      // A session of its own, because a task's own delegate is not called on Linux.
      let counter = ByteCounter(continuation)
      let session = URLSession(
        configuration: session.configuration, delegate: counter, delegateQueue: nil)
      session.dataTask(with: request).resume()
      session.finishTasksAndInvalidate()
    }
  }

  func save(_ path: String, to file: URL) async throws -> Int {
    let (temporary, response) = try await session.download(for: try request(path))
    try check(response)
    try FileManager.default.moveItem(at: temporary, to: file)
    return try file.fileSize
  }

  func close() { session.invalidateAndCancel() }

  private func request(_ path: String) throws -> URLRequest {
    guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
    return URLRequest(url: url.absoluteURL)
  }

  private func check(_ response: URLResponse) throws {
    try UnexpectedResponse.check(status: (response as? HTTPURLResponse)?.statusCode ?? 0)
  }
}
