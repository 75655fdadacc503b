package import NIOCore

extension ByteBuffer {
  /// From this size on, work that grows with the body, such as decoding and decompressing, leaves the
  /// caller's actor: 16 KiB. Below, the way there costs more than the work.
  package static let largeBody = 16 << 10

  /// Whether there are that many bytes.
  package var isLargeBody: Bool { readableBytes >= Self.largeBody }
}
