import HTTPTypes
import MartletCore
import NIOCore

/// Takes a response's body out of the bytes of its connection, as its framing says (RFC 9112 §6).
enum BodyReader {
  /// Some of the body, or its end.
  typealias Part = ChunkedBody.Part

  case length(left: Int64)
  case chunked(ChunkedBody)
  case untilClose

  /// - Parameters:
  ///   - framing: How the body ends.
  ///   - trailerLimit: The most bytes that trailers may have.
  init(_ framing: BodyFraming, trailerLimit: Int) {
    switch framing {
    case .none: self = .length(left: 0)
    case .length(let length): self = .length(left: length)
    case .chunked: self = .chunked(ChunkedBody(trailerLimit: trailerLimit))
    case .untilClose: self = .untilClose
    }
  }

  /// The next part in `buffer`, or `nil` until more bytes have come in.
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

  /// The connection has ended: was that the end of the body, too?
  ///
  /// - Parameter received: How many bytes of the body have come.
  /// - Throws: `MartletError` with code `.bodyTruncated` when it was not.
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
