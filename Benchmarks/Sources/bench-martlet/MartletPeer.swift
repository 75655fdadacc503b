import Foundation
import HTTPTypes
import Harness
import MartletCore
import MartletTransport
import NIOCore

/// The engine by itself.
@main
struct MartletPeer: Peer {
  static let name = "martlet"
  private let transport: HTTPTransport
  private let base: URL

  static func main() async throws { try await run() }

  init(_ job: Job) {
    var configuration = EngineConfiguration()
    configuration.connections.perOrigin = job.concurrency
    transport = HTTPTransport(configuration)
    base = job.base
  }

  func get(_ path: String) async throws -> Int {
    let response = try await send(path, .buffered)
    return response.body.bytes?.readableBytes ?? 0
  }

  func download(_ path: String) async throws -> Int {
    var bytes = 0
    for try await chunk in try await send(path, .stream).body { bytes += chunk.readableBytes }
    return bytes
  }

  func save(_ path: String, to file: URL) async throws -> Int {
    _ = try await send(path, .file(at: file))
    return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }

  func close() { transport.shutDown() }

  private func send(_ path: String, _ delivery: Delivery) async throws -> Response {
    guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
    var request = Request(url: url.absoluteURL)
    request.delivery = delivery
    let response = try await transport.send(request)
    try UnexpectedResponse.check(status: response.status.code)
    return response
  }
}
