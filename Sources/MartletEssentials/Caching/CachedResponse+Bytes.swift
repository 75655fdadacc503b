public import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// Records as bytes, for caches that keep them in files or on other machines. Numbers are big-endian; texts and lists
/// begin with their length.
extension CachedResponse.Record {
  /// The first byte of a record. Another format has another number.
  private static let format: UInt8 = 1
  /// More fields are no record of a response that was received.
  private static let mostFields = 16_384

  /// The record as bytes.
  public var serialized: Data { Data(bytes.readableBytesView) }

  /// The record in `serialized` bytes; `nil` if they are something else, such as a record in a later format.
  public init?(serialized data: Data) {
    self.init(bytes: ByteBuffer(bytes: data))
  }

  package var bytes: ByteBuffer {
    var bytes = ByteBuffer()
    bytes.writeInteger(Self.format)
    bytes.writeInteger(id)
    bytes.writeInteger(requestTime.timeIntervalSinceReferenceDate.bitPattern)
    bytes.writeInteger(responseTime.timeIntervalSinceReferenceDate.bitPattern)
    bytes.writeInteger(UInt16(head.status.code))
    bytes.write(head.status.reasonPhrase)
    bytes.write(urlText)
    bytes.write(head.headers) { bytes, field in
      bytes.write(field.name.rawName)
      bytes.writeValue(of: field)
    }
    bytes.write(varyHeaders) { bytes, field in
      bytes.write(field.key.rawName)
      bytes.write(field.value) { $0.write($1) }
    }
    bytes.write(part.map { [$0] } ?? []) { bytes, part in
      bytes.writeInteger(part.bytes.lowerBound)
      bytes.writeInteger(part.bytes.upperBound)
      bytes.writeInteger(part.total ?? -1)
    }
    return bytes
  }

  package init?(bytes: ByteBuffer) {
    var bytes = bytes
    guard bytes.readInteger() == Self.format, let id: UInt64 = bytes.readInteger(),
      let requestTime = bytes.readDate(), let responseTime = bytes.readDate(),
      let status: UInt16 = bytes.readInteger(), status < 1000,
      let reason = bytes.readText(), let url = bytes.readText(),
      let fields = bytes.readList({ $0.readField() }), fields.count <= Self.mostFields,
      let varying = bytes.readList({ $0.readVaryField() }),
      let parts = bytes.readList({ $0.readPart() }), parts.count < 2, bytes.readableBytes == 0
    else { return nil }
    var headers = HTTPFields()
    for field in fields { headers.append(field) }
    let head = ResponseHead(
      status: .init(code: Int(status), reasonPhrase: reason), headers: headers)
    self.init(
      RecordValues(
        id: id, head: head, urlText: url, requestTime: requestTime, responseTime: responseTime,
        varyHeaders: Dictionary(varying) { $1 }, part: parts.first, metadata: CacheMetadata(head)))
  }
}

extension ByteBuffer {
  fileprivate mutating func write(_ text: String) {
    writeInteger(UInt32(text.utf8.count))
    writeString(text)
  }

  /// Writes the value of a field, which need not be UTF-8.
  fileprivate mutating func writeValue(of field: HTTPField) {
    field.withUnsafeBytesOfValue { value in
      writeInteger(UInt32(value.count))
      writeBytes(value)
    }
  }

  fileprivate mutating func write<Items: Collection>(
    _ items: Items, _ write: (inout ByteBuffer, Items.Element) -> Void
  ) {
    writeInteger(UInt32(items.count))
    for item in items { write(&self, item) }
  }

  fileprivate mutating func readText() -> String? {
    guard let count: UInt32 = readInteger() else { return nil }
    return readString(length: Int(count))
  }

  /// Reads a list. Its length is not believed before its elements are read.
  fileprivate mutating func readList<Item>(_ read: (inout ByteBuffer) -> Item?) -> [Item]? {
    guard let count: UInt32 = readInteger(), count <= readableBytes else { return nil }
    var items: [Item] = []
    for _ in 0..<count {
      guard let item = read(&self) else { return nil }
      items.append(item)
    }
    return items
  }

  fileprivate mutating func readDate() -> Date? {
    guard let bits: UInt64 = readInteger() else { return nil }
    let seconds = Double(bitPattern: bits)
    return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
  }

  fileprivate mutating func readName() -> HTTPField.Name? {
    readText().flatMap { HTTPField.Name($0) }
  }

  fileprivate mutating func readField() -> HTTPField? {
    guard let name = readName(), let count: UInt32 = readInteger(),
      let value = readSlice(length: Int(count))?.readableBytesView
    else { return nil }
    // A line break is replaced. Other control characters may be in the field of a response.
    let field = HTTPField(name: name, lenientValue: value)
    return field.withUnsafeBytesOfValue { $0.elementsEqual(value) } ? field : nil
  }

  fileprivate mutating func readVaryField() -> (HTTPField.Name, [String])? {
    guard let name = readName(),
      let values = readList({ $0.readText() })
    else { return nil }
    return (name, values)
  }

  fileprivate mutating func readPart() -> CachedResponse.Record.Part? {
    guard let start: Int64 = readInteger(), let end: Int64 = readInteger(),
      let total: Int64 = readInteger(), 0 <= start, start <= end, total < 0 || end <= total
    else { return nil }
    return .init(bytes: start..<end, total: total < 0 ? nil : total)
  }
}
