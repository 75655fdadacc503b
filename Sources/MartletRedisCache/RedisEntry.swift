import MartletCore
import MartletEssentials
import NIOCore

/// A response in a field of a hash: the record, and the body or where it is.
///
/// Both are in one value, so that a record never has the body of another one. The value is a line of text, the record,
/// and the body if it is small. ``RedisScript/change`` writes it.
struct RedisEntry: Sendable {
  /// The first line, in which the parts are separated by spaces: the number 1, for another format has another one, the
  /// generation, the expiry in milliseconds since 1970, the id of the record, the id of the body, which is 0 if it
  /// follows, the length of the body, and the size of the record. The ids are in hexadecimal digits.
  struct Header: Sendable {
    let generation: String
    let expiry: Int64
    let recordID: String
    let bodyID: UInt64
    let bodyLength: Int64
    let recordSize: Int
  }

  /// The body of a response.
  enum Body: Sendable {
    case inline(ByteBuffer)
    case chunks(RedisChunks)
  }

  let record: CachedResponse.Record
  let body: Body

  /// The entry in a value; `nil` if it is something else, such as an entry in a later format.
  init?(_ value: ByteBuffer) {
    var value = value
    guard let header = Header(reading: &value),
      let bytes = value.readSlice(length: header.recordSize),
      let record = CachedResponse.Record(bytes: bytes)
    else { return nil }
    self.record = record
    guard header.bodyID == 0 else {
      body = .chunks(RedisChunks(id: header.bodyID, length: header.bodyLength))
      return
    }
    guard value.readableBytes == header.bodyLength else { return nil }
    body = .inline(value)
  }
}

extension RedisEntry.Header {
  /// No line is longer.
  private static let largestSize = 256

  /// Reads the line; `nil` if there is another one.
  init?(reading value: inout ByteBuffer) {
    let view = value.readableBytesView
    guard let end = view.prefix(Self.largestSize).firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    let parts = String(decoding: view[..<end], as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 7, parts[0] == "1", let expiry = Int64(parts[2]),
      let bodyID = UInt64(parts[4], radix: 16), let bodyLength = Int64(parts[5]),
      // A body must not have too many chunks.
      (0...Int64(1) << 40).contains(bodyLength), let recordSize = Int(parts[6]), recordSize >= 0
    else { return nil }
    (generation, recordID) = (String(parts[1]), String(parts[3]))
    (self.expiry, self.bodyID) = (expiry, bodyID)
    (self.bodyLength, self.recordSize) = (bodyLength, recordSize)
    value.moveReaderIndex(forwardBy: end - view.startIndex + 1)
  }
}
