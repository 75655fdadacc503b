import MartletCore
import NIOCore

/// The chunks that a body's producer has written and the connection has not taken yet, without any I/O.
///
/// The producer may run ahead by `highWater` bytes, because a thread switch for every chunk would cost more than
/// sending it.
struct UploadQueue {
  /// How many bytes may be queued before the producer has to wait.
  static let highWater = 512 << 10
  /// Small queued chunks are joined up to this size, which is that of an HTTP/2 frame.
  static let maximumPieceSize = SendWindows.frame

  private let length: Int64?
  private var chunks = CircularBuffer<ByteBuffer>()
  private var bytes = 0
  private var written: Int64 = 0
  private(set) var isClosed = false

  /// - Parameter length: The length of the body in bytes; `nil` if it is not known.
  init(length: Int64?) {
    self.length = length
  }

  var isEmpty: Bool { chunks.isEmpty }
  /// Whether the producer has to wait.
  var isFull: Bool { bytes >= Self.highWater }
  /// Whether there is enough room to resume a producer that waits.
  var hasRoom: Bool { bytes <= Self.highWater / 2 }

  /// Appends a chunk that the producer has written.
  ///
  /// - Throws: `CancellationError` when the queue is closed; `MartletError` with code `.bodyLengthMismatch` when the
  ///   body becomes longer than `length`.
  mutating func append(_ chunk: ByteBuffer) throws {
    guard !isClosed else { throw CancellationError() }
    written += Int64(chunk.readableBytes)
    if let length, written > length {
      throw MartletError.bodyLengthMismatch(announced: length, sent: written)
    }
    guard chunk.readableBytes > 0 else { return }
    chunks.append(chunk)
    bytes += chunk.readableBytes
  }

  /// Removes and returns the next piece to send: a chunk, or several small ones joined. Each piece costs an HTTP/2
  /// frame or the size line of a chunk.
  mutating func next() -> ByteBuffer? {
    guard var piece = chunks.popFirst() else { return nil }
    while let chunk = chunks.first,
      piece.readableBytes + chunk.readableBytes <= Self.maximumPieceSize
    {
      piece.writeImmutableBuffer(chunk)
      chunks.removeFirst()
    }
    bytes -= piece.readableBytes
    return piece
  }

  /// Checks the length of the body when the producer is done.
  ///
  /// - Throws: `MartletError` with code `.bodyLengthMismatch` when the body is shorter than `length`.
  func checkEnd() throws(MartletError) {
    guard let length, written != length else { return }
    throw .bodyLengthMismatch(announced: length, sent: written)
  }

  /// Drops the queued chunks, and rejects further ones.
  mutating func close() {
    isClosed = true
    chunks = []
    bytes = 0
  }
}
