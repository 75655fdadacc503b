package import MartletCore
package import NIOCore

/// Cuts a body into chunks of a size that is good to read.
package enum BodyChunks {
  /// Each costs a change of threads or two, so they are large.
  static let size = 512 << 10
  /// How much is sent at a time: what has left counts as progress, and as a sign of life.
  static let slice = 128 << 10

  /// Hands the whole body to `write`, chunk by chunk, and one at a time: of a producer's concurrent writes the
  /// second waits until the first has returned.
  ///
  /// - Throws: `MartletError` for a file that cannot be read or has changed its length; what a producer
  ///   throws; what `write` throws.
  package static func write(_ body: Body, to write: @Sendable (ByteBuffer) async throws -> Void)
    async throws
  {
    switch body.source {
    case .empty: break
    case .producer(let produce):
      let turns = Turns()
      try await produce { chunk in try await turns.take { try await write(chunk) } }
    case .file(let range): try await self.write(range, to: write)
    case .bytes(let bytes): try await write(bytes)
    }
  }

  /// Reads the next chunk while the one before is being sent, on a thread that may block.
  private static func write(
    _ range: Body.FileRange, to write: @Sendable (ByteBuffer) async throws -> Void
  )
    async throws
  {
    let file = try FileSource(path: range.path)
    var position = FilePosition(of: range)
    var chunk = try await file.startReading(at: position.offset, count: position.count).bytes
    while chunk.readableBytes > 0 {
      try position.advance(by: chunk.readableBytes)
      let next = file.startReading(at: position.offset, count: position.count)
      try await write(chunk)
      chunk = try await next.bytes
    }
    try position.finish()
  }
}

/// How far the reading of a file has come.
private struct FilePosition {
  private(set) var offset: Int64
  private let range: Body.FileRange
  private let end: Int64
  private var hasReachedEnd = false

  init(of range: Body.FileRange) {
    self.range = range
    offset = range.offset
    end = range.offset + range.length
  }

  /// How much to ask for: a byte more than there should be tells whether the file has grown.
  var count: Int {
    guard !hasReachedEnd else { return 0 }
    return Int(min(Int64(BodyChunks.size), end - offset + (range.reachesEnd ? 1 : 0)))
  }

  /// - Throws: `MartletError` with code `.bodyLengthMismatch` when the file has more than it should.
  mutating func advance(by read: Int) throws(MartletError) {
    let isAllThereIs = read < count
    offset += Int64(read)
    guard offset <= end else { throw .fileChanged(range.path, isLonger: true) }
    hasReachedEnd = offset == end && isAllThereIs
  }

  /// - Throws: `MartletError` with code `.bodyLengthMismatch` when the file had less than it should.
  func finish() throws(MartletError) {
    guard offset == end else { throw .fileChanged(range.path, isLonger: false) }
  }
}
