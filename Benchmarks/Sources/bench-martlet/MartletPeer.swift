import Foundation
import HTTPTypes
import Harness
import Martlet
import NIOCore

/// Martlet as applications use it: a session manager's async functions.
@main
struct MartletPeer: Peer {
  static let name = "martlet"
  private let api: HTTPSessionManager

  static func main() async throws { try await run() }

  init(_ job: Job) {
    api = HTTPSessionManager(baseURL: job.base) { $0.connections.perOrigin = job.concurrency }
  }

  func get(_ path: String) async throws -> Int {
    let response = try await api.get(path)
    try UnexpectedResponse.check(status: response.status.code)
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

  func close() { api.session.invalidate(cancelingTasks: true) }

  private func send(_ path: String, _ delivery: Delivery) async throws -> Response {
    var request = try api.request(.get, path)
    request.delivery = delivery
    let response = try await api.send(request)
    try UnexpectedResponse.check(status: response.status.code)
    return response
  }
}
