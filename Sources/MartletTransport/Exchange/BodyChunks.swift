import MartletCore
import NIOCore

/// Cuts a body into chunks of a size that is good to read.
enum BodyChunks {
  /// Each costs a change of threads or two, so they are large.
  static let size = 512 << 10
  /// How much is sent at a time: what has left counts as progress, and as a sign of life.
  static let slice = 128 << 10

  static func write(_ body: Body, to write: Body.Writer) async throws {
    switch body.source {
    case .empty: break
    case .producer(let produce): try await produce(write)
    case .file(let range): try await self.write(range, to: write)
    case .bytes(let bytes): try await write(bytes)
    }
  }

  /// Reads the next chunk while the one before is being sent, on a thread that may block.
  private static func write(_ range: Body.FileRange, to write: Body.Writer) async throws {
    let file = try FileSource(path: range.path)
    var offset = range.offset
    let end = range.offset + range.length
    var chunk = try await file.read(at: offset, count: Int(min(Int64(size), end - offset)))
    while chunk.readableBytes > 0 {
      offset += Int64(chunk.readableBytes)
      let position = offset
      async let next = file.read(at: position, count: Int(min(Int64(size), end - position)))
      try await write(chunk)
      chunk = try await next
    }
  }
}
