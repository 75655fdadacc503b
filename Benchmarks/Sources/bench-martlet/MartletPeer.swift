import Foundation
import HTTPTypes
import Harness
import Martlet
import NIOCore

/// Martlet as applications use it: a session manager's async functions, with validated responses
/// and bodies as `Data`.
@main
struct MartletPeer: Peer {
  static let name = "martlet"
  private let api: HTTPSessionManager
  private let validator = HTTPResponseSerializer()
  private let policy: Request.CachePolicy?

  init(_ job: Job) {
    policy = job.cache == .hit ? .returnCacheDataElseLoad : nil
    api = HTTPSessionManager(baseURL: job.base) {
      $0.eventLoopCount = job.loops
      $0.versions = job.offersHTTP2 ? .automatic : .http1
      $0.connections.maximumPerOrigin = job.concurrency
      $0.connections.maximumTotal = max(job.concurrency, $0.connections.maximumTotal)
      $0.observers = job.observer.map { [$0.sessionObserver] } ?? []
      if job.cache != nil { $0.cache = MemoryResponseCache() }
      if let authority = job.authority.map(URL.init(fileURLWithPath:)) {
        $0.tls.roots = .file(authority)
        let certificates = (try? CertificateReader.certificates(at: authority)) ?? []
        $0.securityPolicy.pins = Set(certificates.compactMap(PublicKeyPin.init(of:)))
      }
    }
  }

  func get(_ path: String) async throws -> Int {
    guard let policy else { return try data(of: try await api.get(path)).count }
    return try data(of: try await api.get(path) { $0.options.cachePolicy = policy }).count
  }

  func batch(_ path: String, count: Int, concurrency: Int) async throws -> Int {
    let requests = Requests(api: api, path: path, count: count)
    var bytes = 0
    for await outcome in api.send(requests, maximumConcurrent: concurrency) {
      bytes += try data(of: outcome.response).count
    }
    return bytes
  }

  func decode(_ path: String) async throws -> Int {
    let users: [User] = try await api.get(path)
    return users.count
  }

  func download(_ path: String) async throws -> Int {
    var request = try api.request(.get, path)
    request.delivery = .stream
    let response = try await api.send(request)
    try UnexpectedResponse.check(status: response.status.code)
    var bytes = 0
    for try await chunk in response.body { bytes += chunk.readableBytes }
    return bytes
  }

  func save(_ path: String, to file: URL) async throws -> Int {
    var request = try api.request(.get, path)
    request.delivery = .file(at: file)
    let response = try await api.send(request)
    try UnexpectedResponse.check(status: response.status.code)
    return try file.fileSize
  }

  func upload(_ file: URL, to path: String) async throws -> Int {
    try await put(.file(at: file), to: path)
  }

  func form(_ file: URL, to path: String) async throws -> Int {
    let response = try await api.post(path) { try $0.append(fileAt: file, name: "file") }
    return try UnexpectedResponse.number(in: data(of: response))
  }

  func stream(_ bytes: Int, to path: String) async throws -> Int {
    let chunk = ByteBuffer(repeating: 0, count: 64 << 10)
    let body = RequestBody.producer(length: nil) { write in
      for _ in 0..<(bytes / chunk.readableBytes) { try await write(chunk) }
    }
    return try await put(body, to: path)
  }

  func close() { api.session.invalidateSession(cancelingTasks: true) }

  private func put(_ body: RequestBody, to path: String) async throws -> Int {
    var request = try api.request(.put, path)
    request.body = body
    return try UnexpectedResponse.number(in: data(of: try await api.send(request)))
  }

  private func data(of response: Response) throws -> Data {
    try validator.serialize(
      response, data: (response.body.bytes ?? ByteBuffer()).withUnsafeReadableBytes { Data($0) })
  }
}
