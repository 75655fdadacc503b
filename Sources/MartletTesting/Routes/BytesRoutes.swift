import Foundation
import HTTPTypes
import NIOCore

extension Router {
  /// Bodies of any size, made while they are sent.
  static let bytesRoutes: [Route] = [
    .get("/bytes/:n") { request in
      let (bytes, count) = try randomBytes(request)
      return ServerResponse(
        headers: octets,
        body: .producer(length: count) { try await bytes.write(0..<count, in: 256 << 10, $0) })
    },
    .get("/stream-bytes/:n") { request in
      let (bytes, count) = try randomBytes(request)
      let size = try request.queryInteger("chunk_size", in: 1...(16 << 20)) ?? 10 << 10
      return ServerResponse(
        headers: octets,
        body: .producer(length: nil) { try await bytes.write(0..<count, in: size, $0) })
    },
    .get("/stream/:n") { request in
      let count = try request.integer("n", in: 0...100)
      return ServerResponse(
        headers: [.contentType: "application/json"],
        body: .producer(length: nil) { write in try await lines(count, request, write) })
    },
    .get("/drip", handler: drip),
  ]

  static let octets: HTTPFields = [.contentType: "application/octet-stream"]

  /// As many as the path's `n` says, from the query's `seed` or a random one.
  private static func randomBytes(_ request: ServerRequest) throws -> (RepeatingBytes, Int) {
    let count = try request.integer("n", in: 0...(1 << 40))
    let seed = try request.queryInteger("seed", in: Int.min...Int.max)
    let bits = seed.map { UInt64(truncatingIfNeeded: $0) } ?? .random(in: 0 ... .max)
    return (.random(seed: bits, count: count), count)
  }

  private static func lines(
    _ count: Int, _ request: ServerRequest, _ write: ServerResponse.Writer
  ) async throws {
    for id in 0..<count { try await write(line(id, request)) }
  }

  private static func line(_ id: Int, _ request: ServerRequest) throws -> ByteBuffer {
    var object = Echo(request).message
    object["id"] = id
    let line = try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return ByteBuffer(bytes: line + Data("\n".utf8))
  }

  /// Asterisks, evenly spread over `duration` after a `delay`.
  private static let drip: Route.Handler = { request in
    let count = try request.queryInteger("numbytes", in: 1...(10 << 20)) ?? 10
    let duration = try request.querySeconds("duration", default: 2)
    let delay = try request.querySeconds("delay", default: 2)
    let code = try request.queryInteger("code", in: 200...999) ?? 200
    try await Task.sleep(for: delay)
    return ServerResponse(
      HTTPResponse.Status(code: code), headers: octets,
      body: .producer(length: count) { write in
        for _ in 0..<count {
          try await write(ByteBuffer(string: "*"))
          try await Task.sleep(for: duration / count)
        }
      })
  }
}
