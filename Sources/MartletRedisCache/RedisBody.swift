import EssentialFoundation
import MartletCore
import NIOCore

/// Reads the body of a response, chunk by chunk. When the server fails, the reading waits some seconds for it to recover.
final class RedisBody: ResponseBodySource {
  private let client: RedisClient
  private let layout: RedisLayout
  private let chunks: RedisChunks
  private let next = Locked(0)

  init(_ chunks: RedisChunks, at layout: RedisLayout, _ client: RedisClient) {
    self.client = client
    self.layout = layout
    self.chunks = chunks
  }

  func next() async throws -> ByteBuffer? {
    let number = next.current
    guard number < chunks.count else { return nil }
    let command = RESPCommand.field(layout.body(chunks), number)
    let reply = try await client.send([command]) { next.current == number }
    guard let stored = reply[0].bytes, let bytes = chunks.bytes(of: stored, number: number) else {
      throw MartletError.redis(client.configuration, .bodyMissing)
    }
    // Not after an error, which another read repeats.
    next.withLock { $0 += 1 }
    return bytes
  }

  func abandon() {
    next.withLock { $0 = chunks.count }
  }

  var completion: ResponseBody.Completion? { ResponseBody.Completion() }
}

extension Error where Self == RedisFailure {
  fileprivate static var bodyMissing: RedisFailure {
    RedisFailure(reason: "does not have the rest of a body any more")
  }
}
