import NIOCore

extension ByteBuffer {
  /// Whether work that grows with the body, such as decoding and decompressing, leaves the caller's
  /// actor: from 16 KiB on. Below that the way there costs more than the work.
  var isLargeBody: Bool { readableBytes >= 16 << 10 }
}
