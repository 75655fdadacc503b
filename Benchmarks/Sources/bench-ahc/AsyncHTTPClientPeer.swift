import AsyncHTTPClient
import Foundation
import Harness
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL

/// AsyncHTTPClient, on one event loop like Martlet's engine.
@main
struct AsyncHTTPClientPeer: Peer {
  static let name = "ahc"
  private let client: HTTPClient
  private let base: String
  private let decoder = JSONDecoder()

  init(_ job: Job) {
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = job.offersHTTP2 ? .automatic : .http1Only
    configuration.timeout.connect = .seconds(60)  // for ten thousand connections
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = job.concurrency
    if let authority = job.authority {
      configuration.tlsConfiguration = .makeClientConfiguration()
      configuration.tlsConfiguration?.trustRoots = .file(authority)
    }
    client = HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup(numberOfThreads: job.loops),
      configuration: configuration)
    base = String(job.base.absoluteString.dropLast())
  }

  func get(_ path: String) async throws -> Int {
    try await collect(HTTPClientRequest(url: base + path)).readableBytes
  }

  func decode(_ path: String) async throws -> Int {
    let body = try await collect(HTTPClientRequest(url: base + path))
    return try decoder.decode([User].self, from: body).count
  }

  func download(_ path: String) async throws -> Int {
    var bytes = 0
    let response = try await send(HTTPClientRequest(url: base + path))
    for try await chunk in response.body { bytes += chunk.readableBytes }
    return bytes
  }

  func save(_ path: String, to file: URL) async throws -> Int {
    let delegate = try FileDownloadDelegate(path: file.path)
    let request = try HTTPClient.Request(url: base + path)
    let progress = try await client.execute(request: request, delegate: delegate).get()
    try UnexpectedResponse.check(status: progress.head.status.code)
    return progress.receivedBytes
  }

  func stream(_ bytes: Int, to path: String) async throws -> Int {
    var request = HTTPClientRequest(url: base + path)
    request.method = .PUT
    request.body = .stream(Zeros(bytes: bytes), length: .unknown)
    return try UnexpectedResponse.number(in: await collect(request).readableBytesView)
  }

  func close() async throws { try await client.shutdown() }

  private func collect(_ request: HTTPClientRequest) async throws -> ByteBuffer {
    try await send(request).body.collect(upTo: 1 << 20)
  }

  private func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
    let response = try await client.execute(request, timeout: .minutes(10))
    try UnexpectedResponse.check(status: response.status.code)
    return response
  }
}
