import MartletEssentials
import NIOCore

/// A row of the database: a response, with its body or the number of the file that has it.
struct StoredRow: Sendable {
  /// Where the body is.
  enum Content: Sendable {
    case bytes(ByteBuffer)
    case file(Int64)
  }

  /// The number of the row.
  let row: Int64
  /// The number of the response.
  let id: Int64
  let record: ByteBuffer
  let content: Content
  /// The number of bytes of the body.
  let length: Int64
  /// The CRC-32 of the body.
  let checksum: UInt32
  /// When it was last used, in milliseconds since 1970.
  let used: Int64

  /// The columns from which a row is read.
  static let columns = "rowid, id, record, body, file, length, checksum, used"
  /// The number of these columns.
  static let columnCount: CInt = 8

  init(_ row: SQLiteRow) {
    self.row = row.integer(0)
    id = row.integer(1)
    record = row.bytes(2)
    content = row.isNull(4) ? .bytes(row.bytes(3)) : .file(row.integer(4))
    length = row.integer(5)
    checksum = UInt32(truncatingIfNeeded: row.integer(6))
    used = row.integer(7)
  }

  init(
    _ record: CachedResponse.Record, _ content: Content, length: Int64, checksum: UInt32,
    at time: Int64
  ) {
    row = 0
    id = Int64(bitPattern: record.id)
    self.record = record.bytes
    self.content = content
    self.length = length
    self.checksum = checksum
    used = time
  }

  /// The bytes that the row needs, approximately.
  func size(with key: CacheKey) -> Int64 {
    length + Int64(record.readableBytes + 2 * key.url.utf8.count) + 512
  }
}
