import CMartletSQLite
import NIOCore

/// A value that a statement receives.
enum SQLiteValue {
  case null
  case integer(Int64)
  case text(String)
  case bytes(ByteBuffer)
}

/// A row of a statement's result. It is valid until the next row.
struct SQLiteRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }

  func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func text(_ column: CInt) -> String {
    String(decoding: span(column), as: UTF8.self)
  }

  func bytes(_ column: CInt) -> ByteBuffer {
    ByteBuffer(bytes: span(column))
  }

  /// Texts are in UTF-8, in which SQLite also returns them as bytes.
  private func span(_ column: CInt) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}

extension OpaquePointer {
  /// Binds values to the parameters of a statement. SQLite copies them.
  func bind(_ values: [SQLiteValue]) -> CInt {
    for (position, value) in zip(CInt(1)..., values) {
      let result = bind(value, at: position)
      guard result == SQLITE_OK else { return result }
    }
    return SQLITE_OK
  }

  private func bind(_ value: SQLiteValue, at position: CInt) -> CInt {
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(self, position)
    case .integer(let number): return sqlite3_bind_int64(self, position, number)
    case .text(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            self, position, characters.baseAddress, UInt64(utf8.count), copying, UInt8(SQLITE_UTF8))
        }
      }
    case .bytes(let bytes):
      return bytes.withUnsafeReadableBytes { bytes in
        // Without an address, SQLite would bind NULL.
        guard bytes.count > 0 else { return sqlite3_bind_zeroblob(self, position, 0) }
        return sqlite3_bind_blob64(
          self, position, bytes.baseAddress, UInt64(bytes.count), copying)
      }
    }
  }
}
