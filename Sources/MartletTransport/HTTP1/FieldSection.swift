import MartletCore
import NIOCore

/// Reads a head, or trailers, once the blank line at its end has arrived.
struct FieldSection {
  private let limit: Int
  private var scanned = 0

  /// - Parameter limit: The maximum size of the section, in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Removes a head from the buffer and reads it, or returns `nil` if more bytes are needed.
  ///
  /// Bytes that cannot begin a head are rejected at once: the rest may never arrive.
  ///
  /// - Throws: `MartletError` with code `.headTooLarge` or `.malformedResponse`.
  mutating func nextHead(
    _ buffer: inout ByteBuffer, _ cache: inout HeadCache
  ) throws(MartletError) -> HeadParser.Head? {
    let head = try next(&buffer) { bytes throws(MartletError) in
      try HeadParser.head(bytes, &cache)
    }
    if head == nil { try HeadParser.checkBeginning(buffer) }
    return head
  }

  /// Removes the section from the buffer and reads it, or returns `nil` if more bytes are needed.
  ///
  /// - Throws: `MartletError` with code `.headTooLarge`, or the error of `read`. The section stays in the buffer.
  mutating func next<Value>(
    _ buffer: inout ByteBuffer,
    _ read: (UnsafeRawBufferPointer) throws(MartletError) -> Value
  ) throws(MartletError) -> Value? {
    guard let length = buffer.headLength(from: &scanned) else {
      guard buffer.readableBytes <= limit else { throw .headTooLarge(limit: limit) }
      return nil
    }
    guard length <= limit else { throw .headTooLarge(limit: limit) }
    let value = try buffer.withUnsafeReadableBytes { bytes in
      Result { () throws(MartletError) in
        try read(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
      }
    }.get()
    buffer.moveReaderIndex(forwardBy: length)
    scanned = 0
    return value
  }
}

extension ByteBuffer {
  /// Returns the length of a head, or of trailers, including the blank line, or `nil` if the blank line has not
  /// arrived.
  ///
  /// - Parameter scanned: How many bytes are known not to hold the end of the head. It is updated for the next call.
  /// - Returns: The length in bytes.
  fileprivate func headLength(from scanned: inout Int) -> Int? {
    withUnsafeReadableBytes { bytes in
      var start = scanned
      while let feed = bytes[start...].firstIndex(of: 0x0A) {
        let next = feed + 1
        if next < bytes.count, bytes[next] == 0x0A { return next + 1 }
        if next + 1 < bytes.count, bytes[next] == 0x0D, bytes[next + 1] == 0x0A { return next + 2 }
        if feed == 0 || (feed == 1 && bytes[0] == 0x0D) { return next }
        start = next
      }
      // If a blank line has arrived in part, the line feed before it is one of the last two bytes.
      scanned = max(scanned, bytes.count - 2)
      return nil
    }
  }
}
