import Foundation
import MartletCore
import NIOCore
import NIOPosix

/// An open file that is read at given places, on a thread that may block.
final class FileSource: Sendable {
  private let path: String
  private let descriptor: CInt

  /// - Throws: `MartletError` with code `.fileNotReachable`.
  init(path: String) throws(MartletError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .fileNotReachable(
        URL(fileURLWithPath: path), underlying: SystemFailure(number: errno))
    }
  }

  deinit {
    close(descriptor)
  }

  /// At most `count` bytes; none at the end of the file.
  func read(at offset: Int64, count: Int) async throws -> ByteBuffer {
    guard count > 0 else { return ByteBuffer() }
    return try await NIOThreadPool.singleton.runIfActive { [self] in
      var buffer = ByteBufferAllocator().buffer(capacity: count)
      try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
        try read(into: target.baseAddress, at: offset, count: count)
      }
      return buffer
    }
  }

  private func read(into target: UnsafeMutableRawPointer?, at offset: Int64, count: Int)
    throws(MartletError) -> Int
  {
    while true {
      let result = pread(descriptor, target, count, off_t(offset))
      guard result < 0 else { return result }
      guard errno == EINTR else {
        throw .fileNotReachable(
          URL(fileURLWithPath: path), underlying: SystemFailure(number: errno))
      }
    }
  }
}
