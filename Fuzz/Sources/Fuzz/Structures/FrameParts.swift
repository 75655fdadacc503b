import NIOCore
import NIOHPACK

/// Frames of HTTP/2 (RFC 9113 §4.1): nine bytes, with the length of what follows in the first three.
enum FrameParts {
  private static let headerSize = 9

  static func parts(of input: [UInt8], after prefix: Int) -> [[UInt8]] {
    var parts = [Array(input.prefix(prefix))]
    var rest = input.dropFirst(prefix)
    while !rest.isEmpty {
      let length = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
      let frame = rest.prefix(headerSize + length)
      parts.append(Array(frame))
      rest = rest.dropFirst(frame.count)
    }
    return parts
  }

  /// Changes the type, the flags or the stream of a frame, or what it contains, and states its length.
  static func changed(_ part: [UInt8], by change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    guard part.count >= headerSize else { return change(part) }
    let payload = part.dropFirst(headerSize)
    // A payload changes where there is one; then the header stays as it is.
    guard payload.isEmpty else {
      return frame(Array(part[3..<headerSize]), Array(change(Array(payload)).prefix(16 << 10)))
    }
    return frame(Array((change(Array(part[3..<headerSize])) + [0, 0, 0, 0, 0, 0]).prefix(6)), [])
  }

  /// One frame of each kind, on the streams of the target and on others.
  static let additions: [[UInt8]] = {
    let data = Array("tern".utf8)
    let connection = [
      frame(4, 0, 0, []), frame(4, 1, 0, []), frame(4, 0, 0, [0, 4, 0, 0, 0, 0]),
      frame(4, 0, 0, [0, 3, 0, 0, 0, 1]), frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]),
      frame(6, 1, 0, [1, 2, 3, 4, 5, 6, 7, 8]), frame(7, 0, 0, [0, 0, 0, 1, 0, 0, 0, 0]),
      frame(7, 0, 0, [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 11]), frame(8, 0, 0, [0, 1, 0, 0]),
    ]
    let streams = [1, 3, 5, 7, 2].flatMap { (stream: UInt8) in
      [
        frame(0, 0, stream, data), frame(0, 1, stream, data), frame(0, 1, stream, []),
        frame(0, 8, stream, [2] + data), frame(1, 4, stream, head), frame(1, 5, stream, head),
        frame(1, 4, stream, interim), frame(1, 0, stream, Array(head.prefix(2))),
        frame(9, 4, stream, Array(head.dropFirst(2))), frame(1, 5, stream, trailers),
        frame(1, 0x2C, stream, [1, 0, 0, 0, 0, 16] + head + [0]),
        frame(3, 0, stream, [0, 0, 0, 8]),
        frame(3, 0, stream, [0, 0, 0, 7]), frame(8, 0, stream, [0, 0, 0, 1]),
        frame(5, 4, stream, [0, 0, 0, 2] + head), frame(2, 0, stream, [0, 0, 0, 0, 16]),
      ]
    }
    return connection + streams
  }()

  private static let head = section([
    (":status", "200"), ("content-length", "4"), ("set-cookie", "a=b"),
  ])
  private static let interim = section([(":status", "103"), ("link", "</a>")])
  private static let trailers = section([("expires", "0"), ("repr-digest", "sha-256=:AA==:")])

  private static func section(_ fields: [(String, String)]) -> [UInt8] {
    var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    var bytes = ByteBuffer()
    try? encoder.encode(headers: HPACKHeaders(fields), to: &bytes)
    return Array(bytes.readableBytesView)
  }

  private static func frame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]
  ) -> [UInt8] {
    frame([type, flags, 0, 0, 0, stream], payload)
  }

  private static func frame(_ rest: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) } + rest + payload
  }
}
