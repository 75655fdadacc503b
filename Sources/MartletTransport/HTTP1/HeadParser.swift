import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// Reads a head: its status line (RFC 9112 §4), and its field lines by `FieldLines`.
///
/// A line may end in a bare LF, as §2.2 allows. Invalid input is rejected, not interpreted by guessing.
enum HeadParser {
  /// A status line and fields, with the version that the status line names.
  struct Head {
    var head: ResponseHead
    var isHTTP11: Bool
    /// The fields of the head that frame the message.
    var fields: FramingFields
  }

  /// Reads a whole head, up to and including its blank line.
  ///
  /// - Parameters:
  ///   - bytes: The head.
  ///   - cache: The connection's cache of the previous head. It is updated with this one.
  /// - Returns: The head.
  /// - Throws: `MartletError` with code `.malformedResponse`.
  static func head(
    _ bytes: UnsafeRawBufferPointer, _ cache: inout HeadCache
  ) throws(MartletError) -> Head {
    if let known = cache.head(bytes) { return known }
    var lines = Lines(bytes)
    let (status, isHTTP11) = try statusLine(lines.next() ?? bytes[bytes.endIndex...])
    var fields = FieldLines(cache)
    while let line = lines.next(), !line.isEmpty { try fields.take(line) }
    let headers = fields.finish()
    let head = Head(
      head: ResponseHead(status: status, headers: headers), isHTTP11: isHTTP11,
      fields: FramingFields(headers))
    cache.store(head, bytes, lines: fields.lines)
    return head
  }

  /// Reads trailers: field lines up to the blank line.
  static func trailers(_ bytes: UnsafeRawBufferPointer) throws(MartletError) -> HTTPFields {
    var lines = Lines(bytes)
    var fields = FieldLines()
    while let line = lines.next(), !line.isEmpty { try fields.take(line) }
    return fields.finish()
  }

  // MARK: Status line

  private typealias Bytes = FieldLines.Bytes

  /// The allowed values of each byte up to the status code: `HTTP/1.x SP 3DIGIT`, with a code of at least 100.
  private static let shape: [ClosedRange<UInt8>] =
    "HTTP/1.".utf8.map { $0...$0 }
    + [0x30...0x39, 0x20...0x20, 0x31...0x39, 0x30...0x39, 0x30...0x39]

  /// Whether the bytes match the shape, as far as both reach.
  private static func hasShape(_ bytes: Bytes) -> Bool {
    zip(bytes, shape).allSatisfy { byte, allowed in allowed.contains(byte) }
  }

  /// Whether the bytes begin with a version of HTTP/1, as far as they reach.
  static func hasVersion(_ buffer: ByteBuffer) -> Bool {
    zip(buffer.readableBytesView, "HTTP/1.".utf8).allSatisfy { $0 == $1 }
  }

  /// Whether a status line can begin with these bytes.
  static func isBeginning(_ buffer: ByteBuffer) -> Bool {
    buffer.withUnsafeReadableBytes { bytes in
      guard hasShape(bytes[...]) else { return false }
      // A blank, or the end of the line.
      return bytes.count <= shape.count || [0x20, 0x0D, 0x0A].contains(bytes[shape.count])
    }
  }

  /// Checks the first bytes of a head that is not complete yet.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` when no status line can begin with them.
  static func checkBeginning(_ buffer: ByteBuffer) throws(MartletError) {
    guard !isBeginning(buffer) else { return }
    let beginning = String(decoding: buffer.readableBytesView.prefix(1024), as: UTF8.self)
    throw .malformedResponse("it begins with “\(beginning.masked)”")
  }

  /// Reads `HTTP/1.x SP 3DIGIT SP reason`. The reason and the blank before it may be missing.
  private static func statusLine(_ line: Bytes) throws(MartletError) -> (
    HTTPResponse.Status, isHTTP11: Bool
  ) {
    let rest = line.dropFirst(shape.count)
    guard line.count >= shape.count, hasShape(line), rest.isEmpty || rest.first == 0x20 else {
      throw .malformedResponse("its status line is “\(line.text.masked)”")
    }
    let minor = line[line.startIndex + 7]
    let code = line[..<rest.startIndex].suffix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return (status(code, reason: rest.dropFirst()), isHTTP11: minor != 0x30)
  }

  /// Returns a status. The usual reason phrases are shared, and only an unusual one needs an allocation.
  private static func status(_ code: Int, reason: Bytes) -> HTTPResponse.Status {
    let known = HTTPResponse.Status(code: code)
    guard !reason.elementsEqual(known.reasonPhrase.utf8) else { return known }
    let phrase = reason.text
    // swift-http-types would change a phrase that is not allowed in a status line, so the usual phrase replaces it.
    guard HTTPField.isValidValue(phrase) else { return known }
    return HTTPResponse.Status(code: code, reasonPhrase: phrase)
  }

  // MARK: Lines

  /// Splits at LF and drops the CR before it.
  private struct Lines {
    private var rest: Bytes

    init(_ bytes: UnsafeRawBufferPointer) {
      rest = bytes[...]
    }

    mutating func next() -> Bytes? {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      return line.last == 0x0D ? line.dropLast() : line
    }
  }
}

/// The last head of a connection, cached because servers send nearly the same head every time.
///
/// A head with the same bytes is not parsed again. Of a head that differs, only the different lines are parsed.
struct HeadCache {
  /// The maximum size of a cached head, in bytes.
  private static let limit = 4 << 10

  private var bytes: [UInt8] = []
  /// The ranges of the field lines within `bytes`, one for each field.
  private var lines: [Range<Int>] = []
  private var head: HeadParser.Head?

  /// The cached fields, one for each line.
  var fields: HTTPFields { head?.head.headers ?? HTTPFields() }

  /// Returns the cached head if these are its bytes.
  func head(_ bytes: UnsafeRawBufferPointer) -> HeadParser.Head? {
    self.bytes.withUnsafeBytes { $0.isSame(as: bytes) } ? head : nil
  }

  /// Whether this line is cached for the field at `index`.
  func hasLine(_ line: Slice<UnsafeRawBufferPointer>, at index: Int) -> Bool {
    guard index < lines.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      UnsafeRawBufferPointer(rebasing: bytes[lines[index]])
        .isSame(as: UnsafeRawBufferPointer(rebasing: line))
    }
  }

  /// Caches a head instead of the previous head. A head that is larger than `limit` is not cached.
  ///
  /// - Parameters:
  ///   - head: The parsed head.
  ///   - bytes: All of its bytes.
  ///   - lines: The ranges of its field lines. If some lines were folded, there are more ranges than fields, and
  ///     nothing is cached.
  mutating func store(
    _ head: HeadParser.Head, _ bytes: UnsafeRawBufferPointer, lines: [Range<Int>]
  ) {
    guard bytes.count <= Self.limit, lines.count == head.head.headers.count else {
      return self = HeadCache()
    }
    self.bytes.removeAll(keepingCapacity: true)
    self.bytes.append(contentsOf: bytes)
    self.lines = lines
    self.head = head
  }
}
