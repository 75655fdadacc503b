import EssentialFoundation
import MartletCore
import NIOCore

// Bodies that are made of stored ones.

extension ResponseBody {
  /// Returns the same body. The body in a file becomes a stream, because it may have to be delivered elsewhere.
  func rereadable(of call: Call?) -> ResponseBody {
    if let bytes { return ResponseBody(bytes: bytes, completion: Completion()) }
    if let file { return ResponseBody(reading: file, of: call) }
    return fileSlice(of: call) ?? self
  }

  /// Returns a part of the body.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte.
  ///   - count: The number of bytes.
  ///   - call: The call whose cancellation ends the reading.
  /// - Returns: The part.
  func slice(_ offset: Int64, _ count: Int64, of call: Call?) -> ResponseBody {
    if let bytes {
      var rest = bytes
      rest.moveReaderIndex(forwardBy: Swift.min(Int(offset), rest.readableBytes))
      let slice = rest.readSlice(length: Swift.min(Int(count), rest.readableBytes))
      return ResponseBody(bytes: slice ?? ByteBuffer(), completion: Completion())
    }
    let body = file.map { ResponseBody(reading: $0, of: call) } ?? self
    return body.fileSlice(offset, count, of: call)
      ?? ResponseBody(stream: SlicedBody(body, offset, count), of: call)
  }

  /// Reads the body into memory, or its beginning if it is larger than the limit.
  ///
  /// - Parameter limit: The largest body that is read as a whole.
  /// - Returns: The bytes, and the rest of the body as a stream; `nil` if there is none.
  /// - Throws: What reading the body throws.
  func split(at limit: Int) async throws -> (ByteBuffer, rest: ResponseBody?) {
    if let bytes { return (bytes, nil) }
    let body = rereadable(of: nil)
    var (chunks, bytes) = (body.makeAsyncIterator(), ByteBuffer())
    while let chunk = try await chunks.next() {
      if bytes.readableBytes == 0 { bytes = chunk } else { bytes.writeImmutableBuffer(chunk) }
      guard bytes.readableBytes <= limit else { return (bytes, body) }
    }
    return (bytes, nil)
  }

  /// Returns a body with the bytes of another one behind its own.
  ///
  /// - Parameters:
  ///   - rest: The other body.
  ///   - length: The number of bytes of both. With another number, reading the body fails. With `nil`, it may be any.
  ///   - call: The call whose cancellation ends the reading.
  /// - Returns: The body.
  func followed(by rest: ResponseBody, length: Int64? = nil, of call: Call?) -> ResponseBody {
    ResponseBody(stream: JoinedBody(rereadable(of: call), rest, length, of: call), of: call)
  }
}

/// A part of a stream. The bytes before it are read and dropped.
private final class SlicedBody: ResponseBodySource {
  private let body: ResponseBody
  private let left: Locked<(skipped: Int64, count: Int64)>

  init(_ body: ResponseBody, _ offset: Int64, _ count: Int64) {
    self.body = body
    left = Locked((offset, count))
  }

  func next() async throws -> ByteBuffer? {
    var chunks = body.makeAsyncIterator()
    while left.withLock({ $0.count > 0 }), var chunk = try await chunks.next() {
      left.withLock { left in
        let skipped = min(left.skipped, Int64(chunk.readableBytes))
        chunk.moveReaderIndex(forwardBy: Int(skipped))
        left.skipped -= skipped
        let count = min(left.count, Int64(chunk.readableBytes))
        chunk = chunk.getSlice(at: chunk.readerIndex, length: Int(count)) ?? ByteBuffer()
        left.count -= count
      }
      if chunk.readableBytes > 0 { return chunk }
    }
    return nil
  }

  func abandon() { body.cancel() }

  var completion: ResponseBody.Completion? { ResponseBody.Completion() }
}

/// A stored beginning, and the rest that arrives from the server.
private final class JoinedBody: ResponseBodySource {
  // Streams, which continue at the first unread byte.
  private let parts: [ResponseBody]
  private let length: Int64?
  private let count = Locked<Int64>(0)

  init(_ beginning: ResponseBody, _ rest: ResponseBody, _ length: Int64?, of call: Call?) {
    parts = [beginning.streamed(of: call), rest.streamed(of: call)]
    self.length = length
  }

  func next() async throws -> ByteBuffer? {
    for part in parts {
      var chunks = part.makeAsyncIterator()
      guard let chunk = try await chunks.next() else { continue }
      let count = count.withLock { count in
        count += Int64(chunk.readableBytes)
        return count
      }
      guard let length, count > length else { return chunk }
      abandon()
      throw MartletError.bodyTooLong(announced: length)
    }
    let count = count.current
    guard let length, count < length else { return nil }
    throw MartletError.bodyTruncated(received: count, of: length)
  }

  func abandon() { parts.forEach { $0.cancel() } }

  var completion: ResponseBody.Completion? { parts.last?.completion }
}
