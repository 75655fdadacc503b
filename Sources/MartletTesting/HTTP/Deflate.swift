import CMartletZlib
package import NIOCore

/// Compresses with zlib, in one step.
package enum Deflate {
  /// The format around the compressed data.
  package enum Format: Int32, Sendable {
    /// RFC 1950, which HTTP calls `deflate`.
    case zlib = 15
    /// RFC 1952.
    case gzip = 31
    /// RFC 1951, without a header; some servers send it as `deflate`.
    case raw = -15
  }

  package struct Failure: Error {}

  /// The bytes, compressed.
  ///
  /// - Throws: `Failure` when zlib fails for lack of memory.
  package static func compressed(_ bytes: ByteBuffer, as format: Format) throws -> ByteBuffer {
    var stream = z_stream()
    guard martlet_deflate_init(&stream, Z_DEFAULT_COMPRESSION, format.rawValue) == Z_OK else {
      throw Failure()
    }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = ByteBuffer()
    let capacity = Int(deflateBound(&stream, UInt(input.readableBytes)))
    let code = input.readWithUnsafeMutableReadableBytes { source in
      stream.next_in = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_in = UInt32(clamping: source.count)
      let code = finish(&stream, into: &output, capacity: capacity)
      return (source.count, code)
    }
    guard code == Z_STREAM_END else { throw Failure() }
    return output
  }

  private static func finish(
    _ stream: inout z_stream, into output: inout ByteBuffer, capacity: Int
  ) -> Int32 {
    var code = Z_OK
    output.writeWithUnsafeMutableBytes(minimumWritableBytes: capacity) { target in
      stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(clamping: target.count)
      code = deflate(&stream, Z_FINISH)
      return target.count - Int(stream.avail_out)
    }
    return code
  }
}
