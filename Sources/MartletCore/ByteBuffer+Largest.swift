package import NIOCore

extension ByteBuffer {
  /// The most bytes that a buffer can hold; one more would trap.
  package static let largest = Int(UInt32.max)
}
