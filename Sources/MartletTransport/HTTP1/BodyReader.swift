import HTTPTypes
import MartletCore
import NIOCore

/// Extracts a response's body from the bytes of its connection, according to its framing (RFC 9112 §6).
enum BodyReader {
  /// A part of the body, or its end.
  typealias Part = ChunkedBody.Part

  case length(left: Int64)
  case chunked(ChunkedBody)
  case untilClose

  /// - Parameters:
  ///   - framing: How the body ends.
  ///   - trailerLimit: The maximum size of trailers, in bytes.
  init(_ framing: BodyFraming, trailerLimit: Int) {
    switch framing {
    case .none: self = .length(left: 0)
    case .length(let length): self = .length(left: length)
    case .chunked: self = .chunked(ChunkedBody(trailerLimit: trailerLimit))
    case .untilClose: self = .untilClose
    }
  }

  /// Returns the next part in `buffer`, or `nil` if more bytes are needed.
  mutating func next(_ buffer: inout ByteBuffer) throws(MartletError) -> Part? {
    switch self {
    case .length(0): return .end(trailers: nil)
    case .length(let left):
      let count = Int(min(left, Int64(buffer.readableBytes)))
      self = .length(left: left - Int64(count))
      return Self.data(count, of: &buffer)
    case .untilClose: return Self.data(buffer.readableBytes, of: &buffer)
    case .chunked(var body):
      let part = try body.next(&buffer)
      self = .chunked(body)
      return part
    }
  }

  /// Checks whether the end of the connection is also the end of the body.
  ///
  /// - Parameter received: How many bytes of the body have arrived.
  /// - Throws: `MartletError` with code `.bodyTruncated` when it is not.
  func finish(received: Int64) throws(MartletError) {
    switch self {
    case .untilClose, .length(0): break
    case .length(let left): throw .bodyTruncated(received: received, of: received + left)
    case .chunked: throw .bodyTruncated(received: received, of: nil)
    }
  }

  private static func data(_ count: Int, of buffer: inout ByteBuffer) -> Part? {
    guard count > 0, let data = buffer.readSlice(length: count) else { return nil }
    return .data(data)
  }
}

/// Extracts the data of a chunked body (RFC 9112 §7.1).
struct ChunkedBody {
  enum Part {
    case data(ByteBuffer)
    case end(trailers: HTTPFields?)
  }

  private enum State {
    case size
    case data(left: Int)
    case dataEnd
    case trailers
  }

  /// The maximum length of a size line in bytes, including extensions.
  private static let longestSizeLine = 4096
  private var state = State.size
  private var section: FieldSection

  /// - Parameter trailerLimit: The maximum size of trailers, in bytes.
  init(trailerLimit: Int) {
    section = FieldSection(limit: trailerLimit)
  }

  /// Returns the next part in `buffer`, or `nil` if more bytes are needed.
  mutating func next(_ buffer: inout ByteBuffer) throws(MartletError) -> Part? {
    while true {
      switch state {
      case .size:
        guard let size = try size(&buffer) else { return nil }
        state = size == 0 ? .trailers : .data(left: size)
      case .data(let left):
        let count = min(left, buffer.readableBytes)
        guard count > 0, let data = buffer.readSlice(length: count) else { return nil }
        state = count == left ? .dataEnd : .data(left: left - count)
        return .data(data)
      case .dataEnd:
        guard try lineEnd(&buffer) else { return nil }
        state = .size
      case .trailers: return try trailers(&buffer)
      }
    }
  }

  /// Reads `1*HEXDIG [chunk-ext] CRLF`. Extensions are ignored, as §7.1.1 requires.
  private func size(_ buffer: inout ByteBuffer) throws(MartletError) -> Int? {
    let view = buffer.readableBytesView
    guard !view.isEmpty else { return nil }
    let end = view.firstIndex(of: 0x0A)
    let rest = view[..<(end ?? view.endIndex)]
    // What is beyond the limit has no effect, however the line is cut into reads.
    let line = rest.prefix(Self.longestSizeLine)
    let digits = line.prefix { $0.hexadecimalValue != nil }
    // An invalid size is rejected at once: the end of its line may never arrive.
    guard !digits.isEmpty, digits.count <= 15, Self.isValidChunkExtension(line[digits.endIndex...]),
      let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      let text = String(decoding: line, as: UTF8.self)
      throw .malformedResponse("the size of a chunk is “\(text.masked)”")
    }
    guard rest.count <= Self.longestSizeLine else {
      throw .malformedResponse("the size line of a chunk is too long")
    }
    guard let end else { return nil }
    buffer.moveReaderIndex(to: end + 1)
    return size
  }

  /// Whether a size may be followed by these bytes up to the end of its line. Blanks and extensions are allowed. A CR
  /// is allowed at the very end only (§2.2), and a tab is the only other control character that is allowed.
  private static func isValidChunkExtension(_ rest: ByteBufferView) -> Bool {
    let rest = rest.last == 0x0D ? rest.dropLast() : rest
    guard let first = rest.first(where: { !$0.isBlank }) else { return true }
    return first == 0x3B && rest.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  private func lineEnd(_ buffer: inout ByteBuffer) throws(MartletError) -> Bool {
    let view = buffer.readableBytesView
    guard let first = view.first else { return false }
    if first == 0x0A {
      buffer.moveReaderIndex(forwardBy: 1)
      return true
    }
    guard first == 0x0D else { throw .malformedResponse("a chunk is longer than its size says") }
    guard view.count >= 2 else { return false }
    guard view[view.startIndex + 1] == 0x0A else {
      throw .malformedResponse("a chunk is longer than its size says")
    }
    buffer.moveReaderIndex(forwardBy: 2)
    return true
  }

  private mutating func trailers(_ buffer: inout ByteBuffer) throws(MartletError) -> Part? {
    guard let fields = try section.next(&buffer, HeadParser.trailers) else { return nil }
    return .end(trailers: fields.isEmpty ? nil : fields)
  }
}
