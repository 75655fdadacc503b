import AsyncHTTPClient
import Foundation
import Harness
import NIOCore
import NIOHTTP1
import NIOPosix

/// AsyncHTTPClient, on one event loop as Martlet's engine is, or with the option `singleton` on the
/// event loops that it uses by itself.
@main
struct AsyncHTTPClientPeer: Peer {
  static let name = "ahc"
  private let client: HTTPClient
  private let base: String

  static func main() async throws { try await run() }

  init(_ job: Job) {
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = job.concurrency
    let group: any EventLoopGroup =
      job.options.contains("singleton")
      ? HTTPClient.defaultEventLoopGroup : MultiThreadedEventLoopGroup(numberOfThreads: 1)
    client = HTTPClient(eventLoopGroup: group, configuration: configuration)
    base = String(job.base.absoluteString.dropLast())
  }

  func get(_ path: String) async throws -> Int {
    try await send(path).body.collect(upTo: 1 << 20).readableBytes
  }

  func download(_ path: String) async throws -> Int {
    var bytes = 0
    for try await chunk in try await send(path).body { bytes += chunk.readableBytes }
    return bytes
  }

  func save(_ path: String, to file: URL) async throws -> Int {
    let delegate = try FileDownloadDelegate(path: file.path)
    let request = try HTTPClient.Request(url: base + path)
    let progress = try await client.execute(request: request, delegate: delegate).get()
    try UnexpectedResponse.check(status: progress.head.status.code)
    return progress.receivedBytes
  }

  func close() async throws { try await client.shutdown() }

  private func send(_ path: String) async throws -> HTTPClientResponse {
    let request = HTTPClientRequest(url: base + path)
    let response = try await client.execute(request, timeout: .minutes(10))
    try UnexpectedResponse.check(status: response.status.code)
    return response
  }
}
