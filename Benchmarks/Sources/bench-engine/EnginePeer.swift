import Foundation
import Harness
import Martlet
import NIOCore

/// Martlet's engine alone, with prepared requests.
@main
struct EnginePeer: Peer {
  static let name = "engine"
  private let transport: HTTPTransport
  private let base: URL
  private let request: Request

  init(_ job: Job) {
    var configuration = HTTPTransportConfiguration()
    configuration.versions = job.offersHTTP2 ? .automatic : .http1
    configuration.eventLoopCount = job.loops
    configuration.connections.maximumPerOrigin = job.concurrency
    configuration.connections.maximumTotal = max(
      job.concurrency, configuration.connections.maximumTotal)
    if let authority = job.authority {
      configuration.tls.roots = .file(URL(fileURLWithPath: authority))
    }
    transport = HTTPTransport(configuration)
    base = job.base
    request = Request(url: base.appendingPathComponent(job.path))
  }

  func get(_ path: String) async throws -> Int {
    try size(of: try await transport.send(request(path)))
  }

  func batch(_ path: String, count: Int, concurrency: Int) async throws -> Int {
    let requests = repeatElement(request(path), count: count)
    var bytes = 0
    for await outcome in transport.send(requests, maximumConcurrent: concurrency) {
      bytes += try size(of: outcome.response)
    }
    return bytes
  }

  func upload(_ file: URL, to path: String) async throws -> Int {
    let request = Request(
      .put, url: base.appendingPathComponent(path), body: try .file(at: file))
    let response = try await transport.send(request)
    try UnexpectedResponse.check(status: response.status.code)
    return try UnexpectedResponse.number(
      in: (response.body.bytes ?? ByteBuffer()).readableBytesView)
  }

  func close() { transport.shutDown() }

  /// The prepared request, or a new one if the path differs.
  private func request(_ path: String) -> Request {
    request.target == path ? request : Request(url: base.appendingPathComponent(path))
  }

  private func size(of response: Response) throws -> Int {
    try UnexpectedResponse.check(status: response.status.code)
    return response.body.bytes?.readableBytes ?? 0
  }
}
