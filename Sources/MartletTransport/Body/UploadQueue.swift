import MartletCore
import NIOCore

/// What a body's producer has written and the connection has not taken yet: a value without any I/O.
///
/// The producer may be ahead by so much, since having the two threads take turns for every chunk would cost more
/// than sending it.
struct UploadQueue {
  /// How many bytes may wait before the producer does.
  static let highWater = 512 << 10
  /// Small chunks that wait are joined up to this size, that of a frame of HTTP/2.
  static let piece = SendWindows.frame

  private let length: Int64?
  private var chunks = CircularBuffer<ByteBuffer>()
  private var bytes = 0
  private var written: Int64 = 0
  private(set) var isClosed = false

  /// - Parameter length: How many bytes there should be in all; `nil` when that is not known.
  init(length: Int64?) {
    self.length = length
  }

  var isEmpty: Bool { chunks.isEmpty }
  /// Whether the producer has to wait.
  var isFull: Bool { bytes >= Self.highWater }
  /// Whether it is worth waking a producer that waits.
  var hasRoom: Bool { bytes <= Self.highWater / 2 }

  /// Takes what the producer has written.
  ///
  /// - Throws: `CancellationError` when the queue is closed; `MartletError` with code `.bodyLengthMismatch` when it
  ///   is more than there should be.
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

  /// What is to be sent next: a chunk, or several small ones together, because each piece costs a frame or a line.
  mutating func next() -> ByteBuffer? {
    guard var piece = chunks.popFirst() else { return nil }
    while let chunk = chunks.first, piece.readableBytes + chunk.readableBytes <= Self.piece {
      piece.writeImmutableBuffer(chunk)
      chunks.removeFirst()
    }
    bytes -= piece.readableBytes
    return piece
  }

  /// The producer is done.
  ///
  /// - Throws: `MartletError` with code `.bodyLengthMismatch` when it has written less than it should.
  func checkEnd() throws(MartletError) {
    guard let length, written != length else { return }
    throw .bodyLengthMismatch(announced: length, sent: written)
  }

  /// Drops what is left, and refuses what is still to come.
  mutating func close() {
    isClosed = true
    chunks = []
    bytes = 0
  }
}
